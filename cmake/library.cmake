# The library for other programs: `orrery::orrery`, of which only include/orrery/ is visible. It is a shared library where ORRERY_LIBRARY is
# ON, and that is what is installed; a project that adds this one by add_subdirectory() links the static one.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The objects of the program, for shared libraries. Static archives of the distribution need not be position independent, so these
# libraries load others.
add_library(orrery_objects INTERFACE)
target_sources(orrery_objects INTERFACE $<TARGET_OBJECTS:orrery_core> $<TARGET_OBJECTS:orrery_outer>)
if(TARGET orrery_fmt)
  target_link_libraries(orrery_objects INTERFACE orrery_fmt)
else()
  target_link_libraries(orrery_objects INTERFACE fmt::fmt)
endif()
target_link_libraries(orrery_objects INTERFACE orrery_data yaml-cpp pugixml::pugixml SQLite::SQLite3 ZLIB::ZLIB Threads::Threads)

file(GLOB_RECURSE ORRERY_PUBLIC_HEADERS CONFIGURE_DEPENDS include/orrery/*.hpp)

# What plug-ins build against: headers alone, since whoever loads a plug-in has the rest.
add_library(orrery_plugin INTERFACE)
target_include_directories(orrery_plugin INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_features(orrery_plugin INTERFACE cxx_std_20)
set_target_properties(orrery_plugin PROPERTIES EXPORT_NAME plugin)
add_library(orrery::plugin ALIAS orrery_plugin)

if(NOT ORRERY_LIBRARY)
  add_library(orrery_interface INTERFACE)
  target_include_directories(orrery_interface INTERFACE ${PROJECT_SOURCE_DIR}/include)
  target_compile_features(orrery_interface INTERFACE cxx_std_20)
  target_link_libraries(orrery_interface INTERFACE $<LINK_ONLY:orrery_core>)
  add_library(orrery::orrery ALIAS orrery_interface)
  return()
endif()

add_library(orrery_shared SHARED)
target_link_libraries(orrery_shared PRIVATE orrery_objects)
add_library(orrery::orrery ALIAS orrery_shared)
target_sources(orrery_shared PUBLIC FILE_SET api TYPE HEADERS BASE_DIRS include FILES ${ORRERY_PUBLIC_HEADERS})
target_compile_features(orrery_shared PUBLIC cxx_std_20)
target_link_options(orrery_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/orrery.map -Wl,--no-undefined)
set_property(TARGET orrery_shared APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/orrery.map)
# Before version 1.0.0 a minor version may change what programs see.
set_target_properties(orrery_shared PROPERTIES OUTPUT_NAME orrery EXPORT_NAME orrery VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE CXX)

set(ORRERY_CONFIG_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)
configure_package_config_file(cmake/orrery-config.cmake.in ${PROJECT_BINARY_DIR}/orrery-config.cmake INSTALL_DESTINATION ${ORRERY_CONFIG_FOLDER})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/orrery-config-version.cmake COMPATIBILITY SameMinorVersion)
# An installed folder may be moved.
file(RELATIVE_PATH ORRERY_PREFIX_OF_PKGCONFIG /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/orrery.pc.in ${PROJECT_BINARY_DIR}/orrery.pc @ONLY)

install(TARGETS orrery_plugin EXPORT orrery-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS orrery_shared EXPORT orrery-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
        FILE_SET api DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT orrery-targets NAMESPACE orrery:: DESTINATION ${ORRERY_CONFIG_FOLDER} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/orrery-config.cmake ${PROJECT_BINARY_DIR}/orrery-config-version.cmake
        DESTINATION ${ORRERY_CONFIG_FOLDER} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/orrery.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
