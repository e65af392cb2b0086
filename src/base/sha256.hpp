// Computes SHA-256 (FIPS 180-4), by which results identify the content of inputs. `sha256sum` prints the same
// digits.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

// Returns 64 hexadecimal digits.
std::string sha256(std::string_view content);

}  // namespace orrery
