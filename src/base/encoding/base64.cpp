#include "base/encoding/base64.hpp"

#include <cstdint>

namespace orrery::core {

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : std::uint8_t{0};
    };
    const std::uint32_t three = static_cast<std::uint32_t>(byte(0) << 16 | byte(1) << 8 | byte(2));
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace orrery::core
