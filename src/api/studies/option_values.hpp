// Checks values of options, which programs give by their names.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"

namespace orrery::core {

// Returns `value`. Throws InputError that names the option unless it is from `least` to `most`.
inline std::int64_t checked_option(std::int64_t value, std::int64_t least, std::int64_t most,
                                   const char* option) {
  if (value < least || value > most)
    throw InputError({option}, fmt::format("{} is not a number from {} to {}", value, least, most));
  return value;
}

// Returns `value`, which need not be whole. Throws InputError that names the option unless it is from `least`
// to `most`, as it is not where it is no number.
inline double checked_number(double value, double least, double most, const char* option) {
  if (!(value >= least && value <= most))
    throw InputError({option}, fmt::format("{} is not a number from {} to {}", value, least, most));
  return value;
}

// Returns the value of a word. Throws InputError that names the option.
template <class Words>
auto word_of_option(const Words& words, const std::string& word, const char* option) {
  const auto value = value_of(words, word);
  if (!value)
    throw InputError({option}, "unknown word " + backquoted(word) + ", use " + alternatives(words_of(words)));
  return *value;
}

}  // namespace orrery::core
