# How each part of the sources is compiled: one line for a folder with all that lies below it, or for a file. The longest path that a
# source begins with decides, so a file that moves has to keep a line of its own or the column of its new folder.
#
# optimised: what a simulation spends its time in is optimised `fully`. Reading inputs and writing results takes a moment of a
#   simulation and is half of what there is to compile, so it is optimised `little` in builds that compile many files as one. Two parts of
#   it are worth more: training steps with their breakdown, which a search for layouts simulates thousands of times, and the cells of tables.
# unit: sources of a unit are compiled as one file, where ORRERY_UNITY is ON. Most of the time that a file takes to compile goes into
#   headers, which its neighbours include, too. So few units take the least time in all; but there have to be enough of them for all
#   cores, and the memory of a compiler grows with the unit. Names in anonymous namespaces have to differ within a unit, and
#   from the names in headers that it includes: those would be hidden from the other sources.
# tests: the same for the tests that lie beside the sources.
set(ORRERY_UNITS
  # folder or file                       optimised  unit           tests
  "src/api                               little     api            study"
  "src/base                              little     base           others"
  "src/cli                               little     cli            study"
  "src/collective                        fully      collective     collective"
  "src/collective/algorithms/written     fully      collective_2   collective"
  "src/collective/channels               fully      collective_2   collective"
  "src/collective/library                fully      collective_2   collective"
  "src/collective/messages               fully      collective_2   collective"
  "src/collective/streams                fully      collective_2   collective"
  "src/compute                           little     base           others"
  "src/events                            fully      simulate       others"
  "src/memory                            little     base           others"
  "src/network                           fully      network        network"
  "src/network/packet                    fully      packet         network"
  "src/network/packet/congestion         fully      packet_2       network"
  "src/network/packet/flits              fully      packet_2       network"
  "src/network/packet/flow_control       fully      packet_2       network"
  "src/network/packet/grants             fully      packet_2       network"
  "src/network/packet/reliability        fully      packet_2       network"
  "src/network/packet/stalls             fully      packet_2       network"
  "src/network/packet/steady             fully      packet_2       network"
  "src/program                           fully      simulate       others"
  "src/report                            little     report         report"
  "src/report/breakdown                  fully      simulate       report"
  "src/report/picture                    little     report_2       report"
  "src/report/profile                    little     report_2       report"
  "src/report/table/csv_cell.cpp         fully      simulate       report"
  "src/report/table/csv_numbers.cpp      fully      simulate       report"
  "src/report/timeline                   little     report_2       report"
  "src/simulate                          fully      simulate       others"
  "src/study                             little     study          study"
  "src/topology                          fully      topology       network"
  "src/topology/files                    little     topology_2     network"
  "src/topology/graph/builders           little     topology_2     network"
  "src/topology/graph/formats            little     topology_2     network"
  "src/workload                          little     workload       workload"
  "src/workload/parallelism              fully      training       workload"
  "src/workload/parameter_server         fully      training       workload"
  "src/workload/pipeline                 fully      training       workload"
  "src/workload/training                 fully      training       workload"
  "src/workload/transformer              fully      training       workload"
  "tests                                 -          -              whole_runs"
  "tests/behaviour                       -          -              behaviour"
  "tests/behaviour/packets               -          -              packets"
  "tests/property                        -          -              property"
  "tests/support                         -          -              support")

foreach(line IN LISTS ORRERY_UNITS)
  if(NOT line MATCHES "^([^ ]+) +(fully|little|-) +([^ ]+) +([^ ]+)$")
    message(FATAL_ERROR "cmake/units.cmake: a line is a path, `fully`, `little` or `-`, a unit and a unit of tests, not: ${line}")
  endif()
  set(path ${CMAKE_MATCH_1})
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${path})
    message(FATAL_ERROR "cmake/units.cmake: ${path} does not exist; whoever moves a file or folder moves its line, too")
  endif()
  if(DEFINED ORRERY_UNIT_${path})
    message(FATAL_ERROR "cmake/units.cmake: ${path} has two lines; leave one of them out")
  endif()
  set(ORRERY_UNIT_${path} ${CMAKE_MATCH_2} ${CMAKE_MATCH_3} ${CMAKE_MATCH_4})
endforeach()

# unit_of(SOURCE COLUMN RESULT): what a column of the table says of a source, where COLUMN is `optimised`, `unit` or `tests`.
function(unit_of source column result)
  set(columns optimised unit tests)
  list(FIND columns ${column} index)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
  set(listed ${path})
  while(listed AND NOT DEFINED ORRERY_UNIT_${listed})
    cmake_path(GET listed PARENT_PATH listed)
  endwhile()
  if(NOT listed)
    message(FATAL_ERROR "cmake/units.cmake: no line says how ${path} is compiled; add one for its folder")
  endif()
  list(GET ORRERY_UNIT_${listed} ${index} value)
  set(${result} ${value} PARENT_SCOPE)
endfunction()

# unite(TARGET COLUMN SOURCE...): compiles sources of a target by the units in a column of the table, where ORRERY_UNITY says so. With
# ORRERY_UNITY=FOLDERS each folder is a unit instead, so that whoever changes a file waits for few others.
function(unite target column)
  if(NOT ORRERY_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    unit_of(${source} ${column} group)
    if(ORRERY_UNITY STREQUAL "FOLDERS")
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
      cmake_path(GET path PARENT_PATH folder)
      string(MAKE_C_IDENTIFIER "${folder}" group)
    endif()
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${group})
  endforeach()
endfunction()
