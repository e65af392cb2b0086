// The version of the library. Versions are semantic (https://semver.org): what is removed is announced as
// deprecated at least one minor version before.
//
//   std::cout << orrery::version() << '\n';
#pragma once

#include <string_view>

#include "orrery/export.hpp"

namespace orrery {

// Returns the version of the library that the program runs with, such as "0.1.0". Any thread may call it.
ORRERY_API std::string_view version() noexcept;

}  // namespace orrery
