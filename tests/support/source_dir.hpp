// The folder of the repository, for tests that read its files.
#pragma once

#include <string>

namespace orrery::core::test {

std::string source_dir();

// Returns the file of a plug-in whose source is in tests/plugins.
std::string test_plugin(const std::string& name);  // absolute, without a slash at the end

}  // namespace orrery::core::test
