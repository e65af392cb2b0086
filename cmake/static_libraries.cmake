# Which libraries to link: ORRERY_LIBRARIES. With ORRERY_STATIC the static ones, the C library and libgcc_s excepted; it is turned off
# where one of them is missing or a program with them cannot be linked, as with most sanitizers.
include(CheckCXXSourceCompiles)

set(ORRERY_LIBRARIES fmt::fmt yaml-cpp pugixml::pugixml SQLite::SQLite3 ZLIB::ZLIB)
if(ORRERY_STATIC)
  set(archives "")
  foreach(name yaml-cpp pugixml sqlite3 z)
    find_library(ORRERY_ARCHIVE_OF_${name} lib${name}.a)
    mark_as_advanced(ORRERY_ARCHIVE_OF_${name})
    list(APPEND archives ${ORRERY_ARCHIVE_OF_${name}})
  endforeach()
  # The archive of SQLite calls these, which are parts of the C library.
  list(APPEND archives ${CMAKE_DL_LIBS} m)
  if(NOT ORRERY_SANITIZE AND NOT archives MATCHES "NOTFOUND")
    set(CMAKE_REQUIRED_LINK_OPTIONS -static-libstdc++)
    set(CMAKE_REQUIRED_LIBRARIES ${archives} Threads::Threads)
    set(CMAKE_REQUIRED_FLAGS -std=c++20)
    check_cxx_source_compiles("
      #include <pugixml.hpp>
      #include <sqlite3.h>
      #include <string>
      #include <yaml-cpp/yaml.h>
      #include <zlib.h>
      int main() {
        const YAML::Node versions = YAML::Load(std::string(zlibVersion()) + sqlite3_libversion());
        return static_cast<int>(versions.size()) + pugi::xml_document().load_string(\"\").offset;
      }" ORRERY_CAN_LINK_STATICALLY)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    unset(CMAKE_REQUIRED_LIBRARIES)
    unset(CMAKE_REQUIRED_FLAGS)
  endif()
  if(ORRERY_CAN_LINK_STATICALLY)
    include(cmake/static_fmt.cmake)
    set(ORRERY_LIBRARIES ${ORRERY_STATIC_FMT} ${archives})
  else()
    message(STATUS "No static program can be linked here, so it loads its libraries at every start")
    set(ORRERY_STATIC OFF)
  endif()
endif()
