// Finds names that resemble one that does not exist, so that an error can suggest them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orrery::core {

// Returns how many letters have to be replaced, inserted or removed to get from one word to the other
// (Levenshtein).
std::size_t typing_errors(std::string_view a, std::string_view b);

// Returns "there is no device `word`; you may mean `a`, `b` or `c`", where `what` is "device". It suggests
// those of `names` that are the fewest typing errors away from `word`, at most three, the nearest first.
std::string none_of_name(std::string_view what, std::string_view word,
                         std::span<const std::string_view> names);

}  // namespace orrery::core
