// Says how sensitive the time of a run is to each parameter of its machine: every one is made better by
// itself, and the run is simulated again.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "study/machine_parameters.hpp"
#include "study/run_spec.hpp"

namespace orrery {

inline constexpr double largest_factor = 16;         // by which a parameter is made better at most
inline constexpr std::size_t paired_parameters = 6;  // that gain most, of which pairs are tried
inline constexpr double least_doubling_gain = 0.01;  // of the run's time, for a doubling to help

struct SensitivityOptions {
  double share = 0.25;         // by which each parameter is better: a factor of 1 + share
  std::optional<Time> target;  // that the run's time is to come down to
  int threads = 1;
  bool allow_out_of_memory = false;
};

// One parameter, better by the share, or another word in its place.
struct SensitivityRow {
  std::string run;
  std::string key, from, to;
  bool is_written = true;       // else `from` is the key's default
  Time before, after;           // of the run
  double helps_until = 0;       // factor up to which each doubling gains enough; 0: a word, which has none
  std::optional<Time> at_that;  // what the run takes then
  std::string why_not;          // why the run cannot have it; then `after` is not known

  bool is_possible() const { return why_not.empty(); }
  // By how much the run is shorter; 0 where it is not.
  Time saved() const { return is_possible() && after < before ? before - after : Time(); }
  double gain() const { return (before.ns() - after.ns()) / before.ns(); }  // negative: it takes longer
};

// What brings the run to the target: one parameter, or two that are better by the same factor.
struct TargetChange {
  std::vector<std::string> settings;  // "key=value", as --set takes them
  double factor = 1;                  // the smallest that does, up to a percent; 1: another word does
  Time after;
};

struct Sensitivity {
  std::string run;
  Time total;  // until the last rank has ended
  double share = 0;
  std::vector<SensitivityRow> rows;  // that which gains most first, those not possible last
  std::optional<Time> target;
  std::optional<TargetChange> single, pair;  // none: none reaches the target
};

// `document` is that of read_one_run(), where `file` is explained, too. `told` is called with what is being
// done, from several threads. The result does not depend on their number. Throws InputError and StallError
// where the run as it is cannot be simulated.
Sensitivity find_sensitivity(InputNode document, const std::string& file, const std::string& run,
                             const SensitivityOptions& options,
                             const std::function<void(const std::string&)>& told,
                             const FileLoader& load = read_text_file);

}  // namespace orrery
