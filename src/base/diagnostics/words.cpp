#include "base/diagnostics/words.hpp"

#include <algorithm>

#include "base/diagnostics/nearest_names.hpp"

#include "base/diagnostics/printable.hpp"

namespace orrery::core {

std::string backquoted(std::string_view word) {
  constexpr std::size_t longest = 60;
  if (word.size() <= longest) return "`" + printable(word) + "`";
  std::size_t cut = longest;  // not within a character of several bytes
  while (cut > longest - 4 && (static_cast<unsigned char>(word[cut]) & 0xc0) == 0x80) --cut;
  return "`" + printable(word.substr(0, cut)) + "...`";
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

}  // namespace orrery::core
