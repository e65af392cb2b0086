# Makes the pages of web/, each one HTML file that lacks only what it shows: ORRERY_RESULT_PAGE about results and ORRERY_STUDY_PAGE
# about a study. esbuild joins the scripts with Vega, which draws the figures. Both are Debian packages (esbuild and node-vega);
# where Vega is not one, ORRERY_NODE_PATH names the folder in which npm has put it, such as node_modules.
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

# orrery_page(OUTPUT ENTRY FOLDER): makes a page of web/ENTRY.js, .css and .html; what esbuild makes lies in FOLDER of the build.
function(orrery_page output entry folder)
  add_custom_command(OUTPUT ${output}
                     COMMAND ${ORRERY_BUNDLE} ${entry}.js --format=iife --target=es2022 --outfile=${folder}/page.js
                     COMMAND ${ORRERY_BUNDLE} ${entry}.css --outfile=${folder}/page.css
                     COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DTEMPLATE=${PROJECT_SOURCE_DIR}/web/${entry}.html
                             -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/join_page.cmake
                     WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/web
                     DEPENDS ${ORRERY_WEB} cmake/join_page.cmake)
endfunction()

set(ORRERY_RESULT_PAGE ${PROJECT_BINARY_DIR}/result_page.html)
set(ORRERY_STUDY_PAGE ${PROJECT_BINARY_DIR}/study_page.html)
orrery_page(${ORRERY_RESULT_PAGE} page ${PROJECT_BINARY_DIR}/web)
orrery_page(${ORRERY_STUDY_PAGE} study/study ${PROJECT_BINARY_DIR}/web/study)
