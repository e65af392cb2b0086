#include "study/sensitivity/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "study/sensitivity/changed_runs.hpp"
#include "study/sensitivity/improvement.hpp"
#include "study/sensitivity/target_search.hpp"

namespace orrery::core {

namespace {

constexpr int limit_halvings = 7;  // of an octave of factors, for less than a percent

// The place in the error is the setting, which the row has already.
std::string reason_of(const InputError& error) {
  constexpr std::string_view severity = "error: ";
  const std::string text = error.what();
  const std::size_t found = text.find(severity);
  return text.substr(found == std::string::npos ? 0 : found + severity.size());
}

class Study {
 public:
  Study(const ChangedRuns& runs, const std::string& run, const SensitivityOptions& options)
      : runs_(runs), options_(options) {
    result_.run = run;
    result_.share = options.share;
    result_.target = options.target;
    result_.by_cost = !options.costs.empty();
  }

  Sensitivity carry_out_all() {
    parameters_ = runs_.parameters(result_.total);
    require_parameters();
    find_candidates();
    try_each();
    rank();
    find_limits();
    if (options_.target && result_.total > *options_.target) {
      const TargetSearch search(runs_, gaining(), options_.costs, *options_.target);
      result_.single = search.single();
      result_.pair = search.pair(result_.single);
    }
    for (Candidate& candidate : candidates_) result_.rows.push_back(std::move(candidate.row));
    std::ranges::stable_sort(result_.rows, {}, &SensitivityRow::kind);
    return std::move(result_);
  }

 private:
  // Refuses a choice of parameters that leaves none.
  void require_parameters() const {
    const auto fits = [&](const MachineParameter& parameter) {
      return fits_pattern(options_.only, parameter.key);
    };
    if (options_.only.empty() || std::ranges::any_of(parameters_, fits)) return;
    std::vector<std::string_view> keys;
    for (const MachineParameter& parameter : parameters_) keys.push_back(parameter.key);
    throw InputError({"--only"}, fmt::format("the run has no parameter {}; it has {}",
                                             backquoted(options_.only), alternatives(keys)));
  }

  void find_candidates() {
    for (const MachineParameter& parameter : parameters_) {
      if (!options_.only.empty() && !fits_pattern(options_.only, parameter.key)) continue;
      for (const Improvement& route : Improvement::of(parameter.value, parameter.facts)) {
        // A number that is tried more and fewer may be the least there is, which says nothing of it.
        if (parameter.facts->better == Better::either && !route.at(1 + options_.share)) continue;
        SensitivityRow row;
        row.run = result_.run;
        row.key = parameter.key;
        row.kind = parameter.facts->kind;
        row.from = parameter.text_of(parameter.value);
        row.is_written = parameter.is_written;
        row.before = result_.total;
        candidates_.push_back({&parameter, route, std::move(row)});
      }
    }
  }

  void try_each() {
    runs_.for_all(candidates_.size(), "parameters tried", [&](std::size_t i) { try_one(candidates_[i]); });
    // If a run does not have such a key it lacks nothing: only values that are written can be impossible.
    std::erase_if(candidates_, [](const Candidate& candidate) {
      return !candidate.row.is_written && !candidate.row.is_possible();
    });
  }

  // If a network cannot be built with this factor, because its numbers have to fit together, the next
  // doubling counts.
  void try_one(Candidate& candidate) const {
    SensitivityRow& row = candidate.row;
    if (!candidate.improvement.at(1 + options_.share)) {
      row.to = row.from;
      row.why_not = "it is as good as it can be";
      return;
    }
    if (try_factor(candidate, 1 + options_.share) || candidate.improvement.is_word()) return;
    const std::string why_not = row.why_not, to = row.to;
    for (double factor = 2; factor <= largest_factor; factor *= 2)
      if (factor > 1 + options_.share && try_factor(candidate, factor)) return;
    row.why_not = why_not;
    row.to = to;
  }

  bool try_factor(Candidate& candidate, double factor) const {
    SensitivityRow& row = candidate.row;
    Settings settings;
    candidate.set(factor, settings);
    row.to = candidate.parameter->text_of(candidate.value_at(factor));
    try {
      row.after = runs_.time_with(settings);
      row.why_not.clear();
    } catch (const InputError& error) {
      row.why_not = reason_of(error);
    } catch (const StallError& error) {
      row.why_not = error.what();
    }
    if (row.is_possible())
      row.cost = options_.costs.of(row.key, candidate.parameter->value, candidate.value_at(factor));
    return row.is_possible();
  }

  void rank() {
    std::ranges::stable_sort(candidates_, [](const Candidate& a, const Candidate& b) {
      return std::pair(!a.row.is_possible(), a.row.after) < std::pair(!b.row.is_possible(), b.row.after);
    });
  }

  std::span<Candidate> gaining() {
    const auto count = std::ranges::count_if(candidates_, &Candidate::gains);
    return std::span(candidates_).first(static_cast<std::size_t>(count));
  }

  void find_limits() {
    const std::span<Candidate> better = gaining();
    runs_.for_all(better.size(), "limits found", [&](std::size_t i) {
      if (!better[i].improvement.is_word()) find_limit(better[i]);
    });
  }

  std::optional<Time> time_at(const Candidate& candidate, double factor) const {
    Settings settings;
    candidate.set(factor, settings);
    return runs_.time_if_possible(settings);
  }

  // Finds the smallest factor with which the run takes no more than a percent longer than with the best one.
  void find_limit(Candidate& candidate) const {
    SensitivityRow& row = candidate.row;
    const double enough_gain = min_further_gain * result_.total.ns();
    std::vector<std::pair<double, Time>> points{{1, result_.total}, {1 + options_.share, row.after}};
    for (double factor = 2; factor <= largest_factor; factor *= 2)
      if (const std::optional<Time> time = time_at(candidate, factor)) points.emplace_back(factor, *time);
    std::ranges::sort(points);
    Time best = row.after;
    for (const auto& point : points) best = std::min(best, point.second);
    const auto is_enough = [&](Time time) { return time.ns() - best.ns() <= enough_gain; };
    std::size_t last = 0;
    while (!is_enough(points[last].second)) ++last;
    double too_small = last == 0 ? 1 : points[last - 1].first;
    row.helps_until = points[last].first;
    row.at_that = points[last].second;
    row.helps_further = row.helps_until >= largest_factor;
    for (int i = 0; i < limit_halvings && last > 0 && !row.helps_further; ++i) {
      const double factor = std::sqrt(too_small * row.helps_until);
      const std::optional<Time> time = time_at(candidate, factor);
      if (!time || !is_enough(*time)) {
        too_small = factor;
        continue;
      }
      row.helps_until = factor;
      row.at_that = time;
    }
    if (last > 0) row.helps_until = candidate.ratio_at(row.helps_until);
  }

  const ChangedRuns& runs_;
  const SensitivityOptions& options_;
  std::vector<MachineParameter> parameters_;
  std::vector<Candidate> candidates_;
  Sensitivity result_;
};

}  // namespace

Sensitivity find_sensitivity(InputNode document, const std::string& file, const std::string& run,
                             const SensitivityOptions& options, const StepListener& told,
                             const FileLoader& load) {
  const ChangedRuns runs(std::move(document), file, run, options.threads, options.allow_out_of_memory, told,
                         load);
  return Study(runs, run, options).carry_out_all();
}

void warn_of_costs(const SensitivityOptions& options, const Sensitivity& found, Warnings& warnings) {
  std::vector<std::string_view> keys;
  for (const SensitivityRow& row : found.rows) keys.push_back(row.key);
  if (options.only.empty()) options.costs.warn_of_unused(keys, warnings);
}

}  // namespace orrery::core
