#include "study/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "study/experiment.hpp"
#include "study/improvement.hpp"
#include "study/overrides.hpp"
#include "study/run.hpp"
#include "study/run_keys.hpp"
#include "study/run_pool.hpp"

namespace orrery {

namespace {

constexpr int halvings = 9;  // of the interval of factors, for less than a percent

// A parameter and a way in which it gets better.
struct Candidate {
  const MachineParameter* parameter;
  Improvement improvement;
  SensitivityRow row;

  bool gains() const { return row.is_possible() && row.after < row.before; }
};

// Puts a value at a parameter's places.
using Settings = std::vector<std::string>;
void set(const MachineParameter& parameter, const std::string& value, Settings& settings) {
  for (const std::string& path : parameter.paths) settings.push_back(path + "=" + value);
}

// The place is the setting, which the row has.
std::string reason_of(const InputError& error) {
  constexpr std::string_view severity = "error: ";
  const std::string text = error.what();
  const std::size_t found = text.find(severity);
  return text.substr(found == std::string::npos ? 0 : found + severity.size());
}

class Study {
 public:
  Study(InputNode document, const std::string& file, const std::string& run,
        const SensitivityOptions& options, const std::function<void(const std::string&)>& told,
        const FileLoader& load)
      : document_(std::move(document)),
        file_(file),
        folder_(std::filesystem::path(file).parent_path()),
        run_(run),
        options_(options),
        told_(told),
        load_(load) {
    write_out_network(document_, run, folder_, load);
  }

  Sensitivity carry_out_all() {
    result_.run = run_;
    result_.share = options_.share;
    result_.target = options_.target;
    result_.total = time_with({});
    find_candidates();
    try_each();
    rank();
    find_limits();
    if (options_.target && result_.total > *options_.target) reach_target(*options_.target);
    for (Candidate& candidate : candidates_) result_.rows.push_back(std::move(candidate.row));
    return std::move(result_);
  }

 private:
  RunSpec spec_with(const Settings& settings) const {
    InputNode document = document_;
    apply_overrides(document, settings, [](std::string_view first) { return experiment_file_keys(first); });
    Warnings warnings;  // those of the run as it is are the user's, these are not
    RunSpec spec = read_one_run(document, file_, run_, warnings, load_);
    spec.allow_out_of_memory = options_.allow_out_of_memory;
    return spec;
  }

  Time time_with(const Settings& settings) const {
    const RunSpec spec = spec_with(settings);
    Warnings warnings;
    const RunResult result = carry_out(spec, warnings);
    return spec.workload->summary(spec, result).total;
  }

  // Calls task(i) for all numbers below `count`.
  template <class Task>
  void for_all(std::size_t count, const std::string& what, const Task& task) const {
    std::atomic<std::size_t> done = 0;
    run_in_order(
        count, options_.threads,
        [&](std::size_t i) {
          task(i);
          told_(fmt::format("{} of {} {}", ++done, count, what));
        },
        [](std::size_t) {});
  }

  void find_candidates() {
    parameters_ = machine_parameters(document_, spec_with({}), folder_, load_);
    for (const MachineParameter& parameter : parameters_) {
      for (const Improvement& way : Improvement::of(parameter.value, parameter.facts)) {
        SensitivityRow row;
        row.run = run_;
        row.key = parameter.key;
        row.from = parameter.value;
        row.is_written = parameter.is_written;
        row.before = result_.total;
        candidates_.push_back({&parameter, way, std::move(row)});
      }
    }
  }

  void try_each() {
    for_all(candidates_.size(), "parameters tried", [&](std::size_t i) { try_one(candidates_[i]); });
    // A run that has no such key lacks nothing: only what is written can be impossible.
    std::erase_if(candidates_, [](const Candidate& candidate) {
      return !candidate.row.is_written && !candidate.row.is_possible();
    });
  }

  void try_one(Candidate& candidate) const {
    SensitivityRow& row = candidate.row;
    const std::optional<std::string> better = candidate.improvement.at(1 + options_.share);
    if (!better) {
      row.to = row.from;
      row.why_not = "it is as good as it can be";
      return;
    }
    row.to = *better;
    Settings settings;
    set(*candidate.parameter, *better, settings);
    try {
      row.after = time_with(settings);
    } catch (const InputError& error) {
      row.why_not = reason_of(error);
    } catch (const StallError& error) {
      row.why_not = error.what();
    }
  }

  void rank() {
    std::ranges::stable_sort(candidates_, [](const Candidate& a, const Candidate& b) {
      return std::pair(!a.row.is_possible(), a.row.after) < std::pair(!b.row.is_possible(), b.row.after);
    });
  }

  // Returns what the run takes when all of these are better by a factor; none if it cannot be so.
  std::optional<Time> time_at(const std::vector<const Candidate*>& better, double factor) const {
    try {
      return time_with(settings_at(better, factor));
    } catch (const InputError&) {
      return std::nullopt;
    } catch (const StallError&) {
      return std::nullopt;
    }
  }

  static Settings settings_at(const std::vector<const Candidate*>& better, double factor) {
    Settings settings;
    for (const Candidate* one : better)
      set(*one->parameter, one->improvement.at(factor).value_or(one->row.from), settings);
    return settings;
  }

  // Doubles each parameter that gains for as long as it helps.
  void find_limits() {
    const std::size_t count = count_of_gaining();
    for_all(count, "limits found", [&](std::size_t i) {
      Candidate& candidate = candidates_[i];
      if (candidate.improvement.is_word()) return;
      candidate.row.helps_until = 1;
      candidate.row.at_that = result_.total;
      for (double factor = 2; factor <= largest_factor; factor *= 2) {
        const std::optional<Time> time = time_at({&candidate}, factor);
        const double enough = candidate.row.at_that->ns() - least_doubling_gain * result_.total.ns();
        if (!time || time->ns() > enough) return;
        candidate.row.helps_until = factor;
        candidate.row.at_that = time;
      }
    });
  }

  std::size_t count_of_gaining() const {
    return static_cast<std::size_t>(std::ranges::count_if(candidates_, &Candidate::gains));
  }

  // Finds the smallest factor with which these reach the target; none if not even the largest does.
  std::optional<TargetChange> least_change(const std::vector<const Candidate*>& better, Time target) const {
    const bool is_word = better.size() == 1 && better[0]->improvement.is_word();
    double too_small = 1, enough = is_word ? 1 : largest_factor;
    std::optional<Time> reached = time_at(better, enough);
    if (!reached || *reached > target) return std::nullopt;
    for (int i = 0; i < halvings && !is_word; ++i) {
      const double factor = std::sqrt(too_small * enough);
      const std::optional<Time> time = time_at(better, factor);
      const bool reaches = time && *time <= target;
      (reaches ? enough : too_small) = factor;
      if (reaches) reached = time;
    }
    return TargetChange{settings_at(better, enough), enough, *reached};
  }

  // Returns the smallest of the changes, the first of equal ones.
  std::optional<TargetChange> least_of(const std::vector<std::vector<const Candidate*>>& sets,
                                       const std::string& what, Time target) const {
    std::vector<std::optional<TargetChange>> changes(sets.size());
    for_all(sets.size(), what, [&](std::size_t i) { changes[i] = least_change(sets[i], target); });
    std::optional<TargetChange> least;
    for (std::optional<TargetChange>& change : changes)
      if (change && (!least || change->factor < least->factor)) least = std::move(change);
    return least;
  }

  void reach_target(Time target) {
    std::vector<std::vector<const Candidate*>> singles, pairs;
    std::vector<const Candidate*> scaled;
    for (const Candidate& candidate : std::span(candidates_).first(count_of_gaining())) {
      singles.push_back({&candidate});
      if (!candidate.improvement.is_word() && scaled.size() < paired_parameters) scaled.push_back(&candidate);
    }
    for (std::size_t i = 0; i < scaled.size(); ++i)
      for (std::size_t k = i + 1; k < scaled.size(); ++k)
        if (scaled[i]->parameter != scaled[k]->parameter) pairs.push_back({scaled[i], scaled[k]});
    result_.single = least_of(singles, "single changes", target);
    result_.pair = least_of(pairs, "pairs of changes", target);
  }

  InputNode document_;
  const std::string& file_;
  const std::filesystem::path folder_;
  const std::string& run_;
  const SensitivityOptions& options_;
  const std::function<void(const std::string&)>& told_;
  const FileLoader& load_;
  std::vector<MachineParameter> parameters_;
  std::vector<Candidate> candidates_;
  Sensitivity result_;
};

}  // namespace

Sensitivity find_sensitivity(InputNode document, const std::string& file, const std::string& run,
                             const SensitivityOptions& options,
                             const std::function<void(const std::string&)>& told, const FileLoader& load) {
  return Study(std::move(document), file, run, options, told, load).carry_out_all();
}

}  // namespace orrery
