// Writes bytes as text of 64 characters (RFC 4648), which pages can hold.
#pragma once

#include <string>
#include <string_view>

namespace orrery::core {

std::string base64(std::string_view bytes);

}  // namespace orrery::core
