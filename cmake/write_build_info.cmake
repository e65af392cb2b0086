# Writes the source of src/base/build_info.hpp, and leaves it alone where it would not change:
# cmake -DROOT=... -DVERSION=... -DCOMPILER=... -DBUILD_TYPE=... -DSANITIZE=... -DSTATIC=... -DOUTPUT=... -P write_build_info.cmake
# A checkout is asked for its commit. git has written the commit of a source tarball into cmake/commit.txt (.gitattributes).
include(${CMAKE_CURRENT_LIST_DIR}/commit.cmake)
commit_of(${ROOT} commit date)
string(TOLOWER ${STATIC} static)
if(NOT static STREQUAL "on")
  set(static false)
else()
  set(static true)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Made by cmake/write_build_info.cmake.
#include "base/build_info.hpp"

namespace orrery::core {

const BuildInfo& build_info() {
  static constexpr BuildInfo info{
      .version = "@VERSION@",
      .commit = "@commit@",
      .date = "@date@",
      .compiler = "@COMPILER@",
      .build_type = "@BUILD_TYPE@",
      .sanitizers = "@SANITIZE@",
      .is_static = @static@,
  };
  return info;
}

}  // namespace orrery::core
]])
