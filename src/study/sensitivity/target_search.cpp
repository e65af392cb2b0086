#include "study/sensitivity/target_search.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace orrery::core {

namespace {

constexpr int halvings = 7;           // of an octave of factors, for less than a percent
constexpr double first_of_two = 1.1;  // smallest factor of the first of two parameters whose costs differ
constexpr int steps_per_octave = 3;   // of that factor

}  // namespace

double TargetChange::factor() const {
  return factors.empty() ? 1 : std::ranges::max(factors);
}

std::string Candidate::value_at(double factor) const {
  return improvement.at(factor).value_or(parameter->value);
}

void Candidate::set(double factor, Settings& settings) const {
  for (const std::string& path : parameter->paths)
    settings.push_back(path + "=" + parameter->text_of(value_at(factor)));
}

double Candidate::ratio_at(double factor) const {
  const std::string better = value_at(factor);
  double before = 0, after = 0;
  const auto read = [](const std::string& text, double& number) {
    std::from_chars(text.data(), text.data() + text.size(), number);
  };
  read(parameter->value, before);
  read(better, after);
  return before > 0 && after > 0 ? std::max(after / before, before / after) : factor;
}

double TargetSearch::cost_of(const Candidate& candidate, double factor) const {
  return costs_.of(candidate.row.key, candidate.parameter->value, candidate.value_at(factor)).value_or(0);
}

TargetChange TargetSearch::change(const Changes& changes, const std::vector<double>& factors,
                                  Time after) const {
  TargetChange made{{}, {}, after, std::nullopt};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Candidate& one = *changes[i];
    made.settings.push_back(one.row.key + "=" + one.parameter->text_of(one.value_at(factors[i])));
    made.factors.push_back(factors[i]);
    if (!costs_.empty()) made.cost = made.cost.value_or(0) + cost_of(one, factors[i]);
  }
  return made;
}

bool TargetSearch::is_less(const TargetChange& a, const TargetChange& b) const {
  return costs_.empty() ? a.factor() < b.factor() : *a.cost < *b.cost;
}

std::optional<TargetChange> TargetSearch::min_factor(const Changes& changes, std::vector<double> factors,
                                                     const std::vector<bool>& marked) const {
  const auto time_at = [&](double factor) {
    Settings settings;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (marked[i]) factors[i] = factor;
      changes[i]->set(factors[i], settings);
    }
    return runs_.time_if_possible(settings);
  };
  const auto reaches = [&](const std::optional<Time>& time) { return time && *time <= target_; };
  const bool is_scaled = std::ranges::find(marked, true) != marked.end();
  double enough = is_scaled ? 2 : 1;
  std::optional<Time> reached = time_at(enough);
  while (is_scaled && !reaches(reached) && enough < largest_factor) reached = time_at(enough *= 2);
  if (!reaches(reached)) return std::nullopt;
  double too_small = enough / 2;
  for (int i = 0; i < halvings && is_scaled; ++i) {
    const double factor = std::sqrt(too_small * enough);
    const std::optional<Time> time = time_at(factor);
    (reaches(time) ? enough : too_small) = factor;
    if (reaches(time)) reached = time;
  }
  // A hundredth more is easier to read.
  const double rounded = std::ceil(enough * 100) / 100;
  if (const std::optional<Time> time = time_at(rounded); is_scaled && reaches(time)) {
    enough = rounded;
    reached = time;
  }
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (marked[i]) factors[i] = enough;
  return change(changes, factors, *reached);
}

std::optional<TargetChange> TargetSearch::min_by_one_factor(const Changes& changes) const {
  std::vector<bool> scaled;
  for (const Candidate* one : changes) scaled.push_back(!one->improvement.is_word());
  return min_factor(changes, std::vector<double>(changes.size(), 1), scaled);
}

// For each factor of the first parameter there is a smallest factor of the second. A pair that costs no less
// than one change is no answer.
std::optional<TargetChange> TargetSearch::cheapest_pair(
    const Changes& changes, const std::optional<TargetChange>& best_single) const {
  if (changes[0]->improvement.is_word() || changes[1]->improvement.is_word())
    return min_by_one_factor(changes);
  std::optional<TargetChange> cheapest;
  const auto bound = [&](const TargetChange& made) {
    return (!cheapest || *made.cost < *cheapest->cost) && (!best_single || *made.cost < *best_single->cost);
  };
  for (double first = first_of_two; first <= largest_factor; first *= std::exp2(1.0 / steps_per_octave)) {
    if (!bound(change(changes, {first, 1}, {}))) break;
    std::optional<TargetChange> made = min_factor(changes, {first, 1}, {false, true});
    if (made && bound(*made)) cheapest = std::move(made);
  }
  return cheapest;
}

template <class Search>
std::optional<TargetChange> TargetSearch::min_of(const std::vector<Changes>& sets, std::string_view what,
                                                 const Search& search) const {
  std::vector<std::optional<TargetChange>> found(sets.size());
  runs_.for_all(sets.size(), what, [&](std::size_t i) { found[i] = search(sets[i]); });
  std::optional<TargetChange> least;
  for (std::optional<TargetChange>& one : found)
    if (one && (!least || is_less(*one, *least))) least = std::move(one);
  return least;
}

std::optional<TargetChange> TargetSearch::single() const {
  std::vector<Changes> singles;
  for (const Candidate& candidate : candidates_)
    if (can_be_had(candidate)) singles.push_back({&candidate});
  return min_of(singles, "single changes", [&](const Changes& one) { return min_by_one_factor(one); });
}

std::optional<TargetChange> TargetSearch::pair(const std::optional<TargetChange>& best_single) const {
  Changes best;
  for (const Candidate& candidate : candidates_)
    if (can_be_had(candidate) && best.size() < paired_parameters) best.push_back(&candidate);
  std::vector<Changes> pairs;
  for (std::size_t i = 0; i < best.size(); ++i)
    for (std::size_t k = i + 1; k < best.size(); ++k)
      if (best[i]->parameter->paths != best[k]->parameter->paths) pairs.push_back({best[i], best[k]});
  return min_of(pairs, "pairs of changes", [&](const Changes& two) {
    return costs_.empty() ? min_by_one_factor(two) : cheapest_pair(two, best_single);
  });
}

}  // namespace orrery::core
