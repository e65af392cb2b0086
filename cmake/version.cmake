# Makes the source of src/base/build_info.hpp and adds it to the library of data. The commit is looked up at every build, as it
# changes without CMake being run, and this source alone is compiled again when it has changed.
# The program of a wheel is a part of the module, which loads libraries.
set(ORRERY_STATIC_PROGRAM ${ORRERY_STATIC})
if(SKBUILD)
  set(ORRERY_STATIC_PROGRAM OFF)
endif()
set(ORRERY_BUILD_INFO ${PROJECT_BINARY_DIR}/build_info.cpp)
add_custom_target(orrery_commit
                  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DSTATIC=${ORRERY_STATIC_PROGRAM}
                          "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "-DBUILD_TYPE=$<CONFIG>"
                          "-DSANITIZE=${ORRERY_SANITIZE}" -DOUTPUT=${ORRERY_BUILD_INFO}
                          -P ${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake
                  BYPRODUCTS ${ORRERY_BUILD_INFO}
                  COMMENT "Looking up the commit" VERBATIM)
target_sources(orrery_data PRIVATE ${ORRERY_BUILD_INFO})
add_dependencies(orrery_data orrery_commit)
