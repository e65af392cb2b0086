// Says how sensitive the time of a run is to each parameter of its machine: every one is made better by
// itself, and the run is simulated again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "base/time.hpp"
#include "study/change_costs.hpp"
#include "study/machine_parameters.hpp"
#include "study/run_spec.hpp"

namespace orrery {

inline constexpr double largest_factor = 16;         // by which a parameter is made better at most
inline constexpr std::size_t paired_parameters = 6;  // that gain most, of which pairs are tried
inline constexpr double least_further_gain = 0.01;   // of the run's time, for more of it to help

struct SensitivityOptions {
  double share = 0.25;         // by which each parameter is better: a factor of 1 + share
  std::optional<Time> target;  // that the run's time is to come down to
  ChangeCosts costs;           // none: the change that reaches it by the smallest factor is the least one
  std::string only;            // a pattern of the parameters that are varied; empty: all
  int threads = 1;
  bool allow_out_of_memory = false;
};

// One parameter, better by the share, or another word in its place.
struct SensitivityRow {
  std::string run;
  std::string key, from, to;
  bool is_written = true;       // else `from` is the key's default
  Time before, after;           // of the run
  std::optional<double> cost;   // of that change; none: nobody has said
  double helps_until = 0;       // factor from which on more gains too little; 0: a word, which has none
  bool helps_further = false;   // the largest factor is not enough to see that
  std::optional<Time> at_that;  // what the run takes then
  std::string why_not;          // why the run cannot have it; then `after` is not known

  bool is_possible() const { return why_not.empty(); }
  // By how much the run is shorter; 0 where it is not.
  Time saved() const { return is_possible() && after < before ? before - after : Time(); }
  double gain() const { return (before.ns() - after.ns()) / before.ns(); }  // negative: it takes longer
};

// What brings the run to the target: one parameter or two, which without costs are better by the same factor.
struct TargetChange {
  std::vector<std::string> settings;  // "key=value", as --set takes them
  std::vector<double> factors;        // of each parameter, the smallest up to a percent; 1: another word
  Time after;
  std::optional<double> cost;

  double factor() const;  // the largest
};

struct Sensitivity {
  std::string run;
  Time total;  // until the last rank has ended
  double share = 0;
  std::vector<SensitivityRow> rows;  // that which gains most first, those not possible last
  std::optional<Time> target;
  std::optional<TargetChange> single, pair;  // none: none reaches the target
  bool by_cost = false;                      // the cheapest; else those of the smallest factor
};

// `document` is that of read_one_run(), where `file` is explained, too. The result does not depend on the
// number of threads. Throws InputError and StallError where the run as it is cannot be simulated.
Sensitivity find_sensitivity(InputNode document, const std::string& file, const std::string& run,
                             const SensitivityOptions& options, const StepListener& told,
                             const FileLoader& load = read_text_file);

}  // namespace orrery
