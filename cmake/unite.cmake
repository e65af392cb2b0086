# Compiles the sources of a target that lie in one folder as one file, where ORRERY_UNITY says so. Most of the time that
# a file takes to compile goes into the headers that its neighbours include, too. Names in anonymous namespaces have to
# differ within a folder then; the tests in a folder are apart from the other sources there.
function(unite_by_folder target)
  if(NOT ORRERY_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${folder})
  endforeach()
endfunction()
