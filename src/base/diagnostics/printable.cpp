#include "base/diagnostics/printable.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace orrery::core {

namespace {

// Returns whether this is printable ASCII, of which nearly all texts consist.
bool is_plain(char c) {
  return c >= ' ' && c < 0x7f;
}

unsigned byte_of(char c) {
  return static_cast<unsigned char>(c);
}

// Returns the bytes of the character at the start of a text that is not empty; 0 where they are no UTF-8 (RFC
// 3629).
std::size_t utf8_length(std::string_view text) {
  const unsigned first = byte_of(text[0]);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_of(text[i]) & 0xc0) != 0x80) return 0;
  const unsigned second = length > 1 ? byte_of(text[1]) : 0;
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool too_large = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

// The control characters are U+0000 to U+001F, U+007F, and U+0080 to U+009F. Some terminals obey U+009B, as
// UTF-8 or as one byte.
bool is_control(std::string_view character) {
  const unsigned code = byte_of(character.back());
  if (character.size() == 1) return code < ' ' || (code >= 0x7f && code < 0xa0);
  return character.size() == 2 && byte_of(character[0]) == 0xc2 && code < 0xa0;
}

std::string escaped_byte(char c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\x{:02x}", byte_of(c));
  }
}

std::string escaped(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += escaped_byte(c);
  return out;
}

// Bytes that are no UTF-8.
enum class StrayBytes { kept, escaped };

// `escape` writes control characters that are not among `kept`.
template <class Escape>
std::string with_escapes(std::string_view text, std::string_view kept, const Escape& escape,
                         StrayBytes stray = StrayBytes::kept) {
  std::string out;
  out.reserve(text.size());
  while (true) {
    const auto* const special = std::find_if_not(text.begin(), text.end(), is_plain);
    out.append(text.begin(), special);
    text.remove_prefix(static_cast<std::size_t>(special - text.begin()));
    if (text.empty()) return out;
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const bool is_stray = length == 0 && stray == StrayBytes::escaped;
    const bool keeps = !is_control(character) || kept.find(character) != std::string_view::npos;
    if (keeps && !is_stray)
      out += character;
    else
      out += escape(character);
    text.remove_prefix(character.size());
  }
}

}  // namespace

std::string printable(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  return with_escapes(text, "", escaped);
}

std::string printable_utf8(std::string_view text) {
  return with_escapes(text, "", escaped, StrayBytes::escaped);
}

std::string printable_lines(std::string_view text) {
  return with_escapes(text, "\n", escaped);
}

std::string printable_json(std::string_view json) {
  return with_escapes(json, "\n", [](std::string_view character) {
    return fmt::format("\\u{:04x}", byte_of(character.back()));
  });
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_plain) || printable(text) == text;
}

}  // namespace orrery::core
