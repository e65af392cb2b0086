# Installs the program and what goes with it: manual pages, completions, licence, documentation and examples. CPack makes Debian packages
# of everything that has rules of installation: `orrery` of the component `program`, `liborrery0.1` (with the version of the interface) of
# `library`, and `liborrery-dev` of all others.
include(GNUInstallDirs)
option(ORRERY_DEBIAN "Install as packages of Debian have to, which needs CMAKE_INSTALL_PREFIX=/usr" OFF)

# The program writes its own pages and completions, so these have whatever flags it has.
set(ORRERY_MANUAL ${PROJECT_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${ORRERY_MANUAL}/complete
                   COMMAND ${CMAKE_COMMAND} -DORRERY=$<TARGET_FILE:orrery> -DCHANGES=${PROJECT_SOURCE_DIR}/CHANGELOG.md -DOUTPUT=${ORRERY_MANUAL}
                           -P ${PROJECT_SOURCE_DIR}/cmake/write_manual.cmake
                   DEPENDS orrery CHANGELOG.md cmake/write_manual.cmake
                   COMMENT "Writing manual pages and completions" VERBATIM)
add_custom_target(orrery_manual DEPENDS ${ORRERY_MANUAL}/complete)
if(NOT ORRERY_SANITIZE)  # nobody installs a program with sanitizers
  set_target_properties(orrery_manual PROPERTIES EXCLUDE_FROM_ALL OFF)
endif()

install(TARGETS orrery RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY ${ORRERY_MANUAL}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
set(ORRERY_ZSH_FOLDER site-functions)
if(ORRERY_DEBIAN)
  set(ORRERY_ZSH_FOLDER vendor-completions)  # where Debian's zsh looks for what packages bring
endif()
install(FILES ${ORRERY_MANUAL}/orrery.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME orrery COMPONENT program)
install(FILES ${ORRERY_MANUAL}/_orrery DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${ORRERY_ZSH_FOLDER} COMPONENT program)
install(FILES ${ORRERY_MANUAL}/orrery.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
# The copyright of Debian has the text of LICENSE, and those of what is linked.
set(ORRERY_DOC ${CMAKE_INSTALL_DATADIR}/doc/orrery)
install(FILES packaging/debian/copyright README.md CITATION.cff ${ORRERY_MANUAL}/changelog.gz DESTINATION ${ORRERY_DOC} COMPONENT program)
install(DIRECTORY docs examples DESTINATION ${ORRERY_DOC} COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_NAME orrery)
set(CPACK_PACKAGE_VENDOR "Orrery contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of distributed deep-learning training")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
    "Orrery simulates the training of a deep-learning model on a machine that
may not exist yet. Given a workload, a system and a network, it says how
long a training step takes, how much communication compute could not hide,
and where.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Orrery contributors <contributors@orrery.example>")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME orrery)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "bash-completion, man-db")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME liborrery${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "This package has the shared library, which programs that call Orrery load.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME liborrery-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "This package has the headers for programs that call Orrery.")

if(ORRERY_DEBIAN)
  include(cmake/commit.cmake)
  commit_of(${PROJECT_SOURCE_DIR} ORRERY_COMMIT ORRERY_COMMIT_DATE)
  execute_process(COMMAND date --utc --rfc-email "--date=${ORRERY_COMMIT_DATE}" OUTPUT_VARIABLE ORRERY_DEBIAN_DATE
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  configure_file(packaging/debian/changelog.in ${PROJECT_BINARY_DIR}/changelog.Debian @ONLY)
  execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${PROJECT_BINARY_DIR}/changelog.Debian.gz DESTINATION ${ORRERY_DOC} COMPONENT program)
  if(ORRERY_LIBRARY)
    set(common packaging/debian/copyright ${ORRERY_MANUAL}/changelog.gz ${PROJECT_BINARY_DIR}/changelog.Debian.gz)
    install(FILES ${common} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} COMPONENT library)
    install(FILES ${common} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME} COMPONENT development)
  endif()
endif()

get_cmake_property(ORRERY_COMPONENTS COMPONENTS)
foreach(component IN LISTS ORRERY_COMPONENTS)
  if(NOT component MATCHES "^(program|library)$")
    string(TOUPPER ${component} name)
    set(CPACK_COMPONENT_${name}_GROUP development)
  endif()
endforeach()
include(CPack)
