// Finds how sensitive the time of a run is to each parameter of its machine. Every parameter is made better
// by itself, and the run is simulated again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/units/time.hpp"
#include "study/run/run_spec.hpp"
#include "study/sensitivity/change_costs.hpp"
#include "study/sensitivity/machine_parameters.hpp"

namespace orrery::core {

inline constexpr double largest_factor = 16;  // largest factor by which a parameter is made better
// Number of the parameters with the largest gains of which pairs are tried.
inline constexpr std::size_t paired_parameters = 6;
// Share of the run's time that more of a parameter has to gain to help.
inline constexpr double min_further_gain = 0.01;

struct SensitivityOptions {
  double share = 0.25;         // a parameter is better by a factor of 1 + share
  std::optional<Time> target;  // time that the run is to come down to
  ChangeCosts costs;           // without costs, the least change is the one by the smallest factor
  std::string only;            // pattern of the parameters that are varied; empty: all
  int threads = 1;
  bool allow_out_of_memory = false;
};

// One parameter, which is better by the share, or another word in its place.
struct SensitivityRow {
  std::string run;
  std::string key, from, to;
  ParameterKind kind = ParameterKind::none;
  bool is_written = true;       // otherwise `from` is the key's default
  Time before, after;           // times of the run
  std::optional<double> cost;   // cost of that change; none: it is not known
  double helps_until = 0;       // factor from which on more gains too little; 0: a word, which has no factor
  bool helps_further = false;   // the largest factor is not enough to see that
  std::optional<Time> at_that;  // time that the run takes then
  std::string why_not;          // why the run cannot have the value; then `after` is not known

  bool is_possible() const { return why_not.empty(); }
  // Returns by how much the run is shorter, or 0 where it is not.
  Time saved() const { return is_possible() && after < before ? before - after : Time(); }
  double gain() const { return (before.ns() - after.ns()) / before.ns(); }  // negative: it takes longer
};

// A change that brings the run to the target: of one parameter, or of two, which without costs are better by
// the same factor.
struct TargetChange {
  std::vector<std::string> settings;  // "key=value", as --set takes them
  // Factor of each parameter, the smallest up to a percent; 1: another word.
  std::vector<double> factors;
  Time after;
  std::optional<double> cost;

  double factor() const;  // the largest
};

struct Sensitivity {
  std::string run;
  Time total;  // until the last rank has ended
  double share = 0;
  // By kind; in each kind, the largest gains come first, and values that the run cannot have come last.
  std::vector<SensitivityRow> rows;
  std::optional<Time> target;
  std::optional<TargetChange> single, pair;  // none: no change reaches the target
  // These are the cheapest changes; otherwise those of the smallest factor.
  bool by_cost = false;
};

// `document` is that of read_one_run(), where `file` is explained, too. The result does not depend on the
// number of threads. Throws InputError and StallError where the run as it is cannot be simulated.
Sensitivity find_sensitivity(InputNode document, const std::string& file, const std::string& run,
                             const SensitivityOptions& options, const StepListener& told,
                             const FileLoader& load);

// Warns of costs that belong to no parameter of the run, unless only some parameters were varied.
void warn_of_costs(const SensitivityOptions& options, const Sensitivity& found, Warnings& warnings);

}  // namespace orrery::core
