# Makes the page about results of web/: ORRERY_RESULT_PAGE, one HTML file that lacks only the results. esbuild joins the scripts
# with Vega, which draws the figures. Both are Debian packages (esbuild and node-vega); where Vega is not one, ORRERY_NODE_PATH
# names the folder in which npm has put it, such as node_modules.
find_program(ORRERY_ESBUILD esbuild REQUIRED)
set(ORRERY_NODE_PATH /usr/share/nodejs CACHE PATH "Folder with the JavaScript packages vega and vega-interpreter")
if(NOT EXISTS ${ORRERY_NODE_PATH}/vega-interpreter)
  message(FATAL_ERROR "Vega, which draws the figures of reports, is not in ${ORRERY_NODE_PATH}: run `./dev setup build`, or "
                      "`npm install vega vega-interpreter` and set ORRERY_NODE_PATH to its folder node_modules")
endif()

# The parts of Vega that Debian's package lacks, and no chart uses, are replaced by an empty module.
set(ORRERY_BUNDLE ${CMAKE_COMMAND} -E env NODE_PATH=${ORRERY_NODE_PATH} ${ORRERY_ESBUILD} --bundle --minify --log-level=warning
                  --alias:d3-delaunay=./absent.js --alias:d3-geo-projection=./absent.js)
file(GLOB_RECURSE ORRERY_WEB CONFIGURE_DEPENDS web/*.js web/*.json web/*.css web/*.html)
set(ORRERY_RESULT_PAGE ${PROJECT_BINARY_DIR}/result_page.html)
add_custom_command(OUTPUT ${ORRERY_RESULT_PAGE}
                   COMMAND ${ORRERY_BUNDLE} page.js --format=iife --target=es2022 --outfile=${PROJECT_BINARY_DIR}/web/page.js
                   COMMAND ${ORRERY_BUNDLE} page.css --outfile=${PROJECT_BINARY_DIR}/web/page.css
                   COMMAND ${CMAKE_COMMAND} -DFOLDER=${PROJECT_BINARY_DIR}/web -DTEMPLATE=${PROJECT_SOURCE_DIR}/web/page.html
                           -DOUTPUT=${ORRERY_RESULT_PAGE} -P ${PROJECT_SOURCE_DIR}/cmake/join_page.cmake
                   WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/web
                   DEPENDS ${ORRERY_WEB} cmake/join_page.cmake)
