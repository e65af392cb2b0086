# unite(TARGET UNIT...): compiles the sources of a target that one regular expression finds as one file, where
# ORRERY_UNITY says so; the first expression that finds a source decides, and what none finds is compiled alone. Most of
# the time that a file takes to compile goes into headers, which its neighbours include, too. So few units take the
# least time in all; but there have to be enough of them for all cores, and the memory of a compiler grows with the unit.
# Names in anonymous namespaces have to differ within a unit, and from the names in headers that it includes: those would be
# hidden from the other sources. With ORRERY_UNITY=FOLDERS each folder is a unit instead, so that whoever changes a file waits for few others.
function(unite target)
  if(NOT ORRERY_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE path)
    if(ORRERY_UNITY STREQUAL "FOLDERS")
      cmake_path(GET path PARENT_PATH folder)
      string(MAKE_C_IDENTIFIER "${folder}" group)
      set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${group})
      continue()
    endif()
    foreach(unit IN LISTS ARGN)
      if(path MATCHES "^${unit}")
        string(MAKE_C_IDENTIFIER ${unit} group)
        set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${group})
        break()
      endif()
    endforeach()
  endforeach()
endfunction()
