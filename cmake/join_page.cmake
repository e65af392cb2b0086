# Puts style and script into the page: cmake -DFOLDER=... -DTEMPLATE=... -DOUTPUT=... -P join_page.cmake
file(READ ${TEMPLATE} page)
file(READ ${FOLDER}/page.css style)
file(READ ${FOLDER}/page.js script)
string(REPLACE "<!--style-->" "${style}" page "${page}")
string(REPLACE "<!--script-->" "${script}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
