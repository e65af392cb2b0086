# Has the program write its manual pages and completions, and compresses what Debian wants compressed:
# cmake -DORRERY=program -DCHANGES=CHANGELOG.md -DOUTPUT=folder -P write_manual.cmake
file(REMOVE_RECURSE ${OUTPUT})
file(MAKE_DIRECTORY ${OUTPUT}/man1)
execute_process(COMMAND ${ORRERY} manual --output=${OUTPUT}/man1 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${ORRERY} completions bash OUTPUT_FILE ${OUTPUT}/orrery.bash COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${ORRERY} completions zsh OUTPUT_FILE ${OUTPUT}/_orrery COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${ORRERY} completions fish OUTPUT_FILE ${OUTPUT}/orrery.fish COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE ${CHANGES} ${OUTPUT}/changelog)
# Without times (-n), so that every build of a commit gives the same files.
file(GLOB pages ${OUTPUT}/man1/*.1)
execute_process(COMMAND gzip -9nf ${pages} ${OUTPUT}/changelog COMMAND_ERROR_IS_FATAL ANY)
file(TOUCH ${OUTPUT}/complete)
