#include "base/words.hpp"

#include <algorithm>

#include "base/nearest_names.hpp"

namespace orrery {

std::string backquoted(std::string_view word) {
  constexpr std::size_t longest = 60;
  std::string out = "`";
  for (const char c : word.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return out + (word.size() > longest ? "...`" : "`");
}

std::string alternatives(std::span<const std::string_view> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += backquoted(words[i]);
  }
  return out;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> words) {
  std::string_view best;
  std::size_t fewest = word.size() / 4 + 1;  // more errors than that make another word
  if (word.size() > 100) return {};
  for (const std::string_view candidate : words) {
    const std::size_t errors = typing_errors(word, candidate);
    if (errors <= fewest && errors < candidate.size() && (best.empty() || errors < fewest)) {
      best = candidate;
      fewest = errors;
    }
  }
  return best.empty() ? std::string() : ", did you mean " + backquoted(best) + "?";
}

}  // namespace orrery
