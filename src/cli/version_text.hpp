// Says which Orrery this is, for `orrery --version`.
#pragma once

#include <string>

namespace orrery::core {

// Returns a line for the version, and one for each of: commit, compiler, features.
std::string version_text();

}  // namespace orrery::core
