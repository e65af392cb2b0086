#include "base/diagnostics/nearest_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

std::size_t typing_errors(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] != b[j] ? 1 : 0);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

std::string none_of_name(std::string_view what, std::string_view word,
                         std::span<const std::string_view> names) {
  constexpr std::size_t most = 3, longest_compared = 100;
  using Candidate = std::pair<std::size_t, std::string_view>;  // typing errors, name
  std::vector<Candidate> candidates;
  for (const std::string_view name : names)
    candidates.emplace_back(typing_errors(word.substr(0, longest_compared), name), name);
  std::ranges::stable_sort(candidates, {}, &Candidate::first);
  std::vector<std::string_view> nearest;
  for (std::size_t i = 0; i < std::min(most, candidates.size()); ++i) nearest.push_back(candidates[i].second);
  const std::string text = "there is no " + std::string(what) + " " + backquoted(word);
  if (nearest.empty()) return text;
  return text + (nearest.size() < names.size() ? "; you may mean " : "; use ") + alternatives(nearest);
}

}  // namespace orrery::core
