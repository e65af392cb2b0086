// Compares a simulated step with a measured one: where they differ, and by how much.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/rank_id.hpp"
#include "report/profile/profile_matching.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

// The time that a part of the step takes on either side.
struct StepPart {
  std::string_view what;
  Time simulated, measured;
};
extern const Table<StepPart> step_part_table;

// One measured rank, beside the simulated rank that does the same.
struct RankPair {
  std::string file;
  std::optional<RankId> rank;  // none: not known
  RankId simulated_rank;
  Time simulated_step, step, compute, exposed, waits, idle;
  std::size_t late = 0;  // collectives to which it came last
  Time awaited;          // time that the longest waiting rank waited for it, in all of these
};
extern const Table<RankPair> rank_pair_table;

struct MeasuredComparison {
  std::string run;
  std::size_t steps = 1;     // number of measured steps over which figures are means
  std::size_t left_out = 0;  // number of other marked steps, if all steps were asked for
  std::vector<RankPair> ranks;
  std::vector<StepPart> parts;           // the last one is the step
  std::vector<ActivityPair> activities;  // including idle time; the largest change of the step comes first
  std::vector<KernelPair> kernels;

  Time simulated_step() const { return parts.back().simulated; }
  Time measured_step() const { return parts.back().measured; }
  // Returns whether both sides have all activities.
  bool all_matched() const;
};

struct ActivityRow {
  std::string_view run;
  const ActivityPair& pair;
};
extern const Table<ActivityRow> activity_table;  // measured.csv
struct KernelRow {
  const KernelPair& pair;
};
extern const Table<KernelRow> kernel_table;

// Compares the means over the measured ranks and over the simulated ones that do the same. Throws InputError
// where a side has no such step.
MeasuredComparison compare_with_measured(const std::string& run, std::vector<RankActivities> simulated,
                                         std::vector<RankActivities> measured,
                                         std::optional<std::int64_t> step, Warnings& warnings);

// Returns the largest differences in sentences, at most `most` of them.
std::vector<std::string> findings(const MeasuredComparison& comparison, std::size_t most);

// `unicode` draws with block characters, else with ASCII.
std::string text_of(const MeasuredComparison& comparison, bool unicode);
nlohmann::ordered_json to_json(const MeasuredComparison& comparison);

}  // namespace orrery::core
