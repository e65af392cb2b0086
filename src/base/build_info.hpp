// Says which Orrery this is and how it was built.
#pragma once

#include <string_view>

namespace orrery::core {

struct BuildInfo {
  std::string_view version;  // as results have it, "0.1.0"
  // The commit that the sources are of, with "+changes" behind it where files differ from it; "unknown" where
  // neither git nor a source tarball says it.
  std::string_view commit;
  std::string_view date;        // of the commit, "2026-11-27"; empty where the commit is unknown
  std::string_view compiler;    // "GNU 12.2.0"
  std::string_view build_type;  // CMake's, "Release"
  std::string_view sanitizers;  // "address,undefined"; empty: none
  bool is_static;               // the program loads no libraries
};

// Nothing in it but the commit and its date changes from one build of a folder to the next. The build makes
// this function (cmake/version.cmake).
const BuildInfo& build_info();

}  // namespace orrery::core
