// The folder of the repository, for tests that read its files.
#pragma once

#include <string>

namespace orrery::core::test {

std::string source_dir();  // absolute, without a slash at the end

}  // namespace orrery::core::test
