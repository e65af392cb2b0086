// Computes SHA-256 (FIPS 180-4), by which results identify the content of inputs. `sha256sum` prints the same
// digits.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::core {

// Takes content piece by piece, so that it need not be in memory as a whole.
class Sha256 {
 public:
  void add(std::string_view piece);
  // Returns 64 hexadecimal digits. Nothing may be added afterwards.
  std::string digits();

 private:
  std::array<std::uint32_t, 8> hash_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::uint64_t bytes_ = 0;
  std::string rest_;  // less than a block that is not in the hash yet
};

// Returns the digits of the content.
std::string sha256(std::string_view content);

}  // namespace orrery::core
