#include "report/profile/measured_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/text/readable.hpp"
#include "report/profile/late_ranks.hpp"

namespace orrery::core {

namespace {

// Returns the place of the simulated rank that does the same as a measured one. That is the rank which stands
// for it; if none does, the last simulated rank that does not come behind it, because ranks that do the same
// mostly follow one another.
std::size_t counterpart(const std::vector<RankActivities>& simulated, const RankActivities& measured,
                        std::size_t place) {
  if (!measured.rank) return std::min(place, simulated.size() - 1);
  std::size_t found = 0;
  for (std::size_t i = 0; i < simulated.size(); ++i) {
    if (std::ranges::binary_search(simulated[i].ranks, *measured.rank)) return i;
    if (simulated[i].rank.value_or(RankId(0)) <= *measured.rank) found = i;
  }
  return found;
}

// The simulated ranks that stand beside measured ones.
struct Counterparts {
  std::vector<RankActivities> ranks;
  std::vector<std::size_t> of_measured;  // in ranks
};

// Only the simulated ranks that have a measured counterpart count, because waiting can be compared only as
// far as measured ranks show it.
Counterparts counterparts_of(std::vector<RankActivities> simulated,
                             const std::vector<RankActivities>& measured) {
  Counterparts made;
  std::map<std::size_t, std::size_t> places;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < measured.size(); ++i) chosen.push_back(counterpart(simulated, measured[i], i));
  for (const std::size_t number : chosen) {
    const auto [place, is_new] = places.try_emplace(number, made.ranks.size());
    if (is_new) made.ranks.push_back(std::move(simulated[number]));
    made.of_measured.push_back(place->second);
  }
  cut_off_waits(made.ranks);
  return made;
}

void warn_of_other_ranks(const std::vector<RankActivities>& simulated,
                         const std::vector<RankActivities>& measured, Warnings& warnings) {
  const std::size_t ranks = simulated.front().ranks_of_run;
  for (const RankActivities& rank : measured)
    if (ranks > 0 && rank.ranks_of_run > 0 && rank.ranks_of_run != ranks)
      return warnings.add({rank.source}, fmt::format("{} ranks were measured, but {} are simulated",
                                                     rank.ranks_of_run, ranks));
}

// A step that no other one follows may hold what the next one would hide.
void warn_of_guessed_steps(const std::vector<RankActivities>& measured, std::optional<std::int64_t> step,
                           Warnings& warnings) {
  for (const RankActivities& rank : measured)
    for (const MarkedStep& guessed : guessed_steps(rank, step))
      warnings.add(
          {rank.source},
          fmt::format("the end of step {0} is not known, as no step {1} follows it; it is taken to "
                      "last {2}, until its last activity ends or for as long as the step before it, or "
                      "else as the host's",
                      guessed.number, guessed.number + 1, readable(guessed.end - guessed.start)));
}

Time use_of(const StepProfile& profile, ActivityKind kind) {
  Time sum;
  for (const auto& [of, use] : profile.classes)
    if (of.kind == kind) sum += use.busy;
  return sum;
}

RankPair rank_pair(const RankActivities& measured, const RankActivities& simulated,
                   const StepProfile& profile, const StepProfile& simulated_profile) {
  RankPair pair;
  pair.file = measured.source;
  pair.rank = measured.rank;
  pair.simulated_rank = simulated.rank.value_or(RankId(0));
  pair.simulated_step = simulated_profile.length;
  pair.step = profile.length;
  pair.compute = profile.share_of(ActivityGroup::compute);
  pair.exposed = profile.share_of(ActivityGroup::communication);
  pair.waits = use_of(profile, ActivityKind::wait);
  pair.idle = profile.share_of(ActivityGroup::none);
  return pair;
}

std::vector<StepPart> parts_of(const StepProfile& simulated, const StepProfile& measured) {
  std::vector<StepPart> parts;
  const auto add = [&](std::string_view what, ActivityGroup group) {
    parts.push_back({what, simulated.share_of(group), measured.share_of(group)});
  };
  add("compute", ActivityGroup::compute);
  parts.push_back({"- beside communication", simulated.overlapped, measured.overlapped});
  add("exposed communication", ActivityGroup::communication);
  add("copies", ActivityGroup::copy);
  add("idle", ActivityGroup::none);
  std::erase_if(parts, [](const StepPart& part) {
    return part.what == "copies" && part.simulated == Time() && part.measured == Time();
  });
  parts.push_back({"step", simulated.length, measured.length});
  return parts;
}

constexpr Column<StepPart> step_part_columns[] = {
    {"what", "",
     "Name of a part of the step. A part whose name begins with `-` belongs to the line above it. All other "
     "parts add up to the last line.",
     [](auto& row) { return row.what; }, "part of the step"},
    {"simulated_us", "us", "Time that this part takes in the simulated step.",
     [](auto& row) { return row.simulated; }, "simulated"},
    {"measured_us", "us", "Time that this part takes in the measured step.",
     [](auto& row) { return row.measured; }, "measured"},
    {"change_us", "us",
     "How much longer the measured step takes for it. The number is negative where it is shorter.",
     [](auto& row) { return row.measured - row.simulated; }},
};

constexpr Column<RankPair> rank_pair_columns[] = {
    {"file", "", "File with the measured rank.", [](auto& row) { return std::string_view(row.file); }},
    {"rank", "", "Number of the measured rank. The cell is empty where the file does not tell it.",
     [](auto& row) { return row.rank; }, "rank"},
    {"simulated_rank", "", "Simulated rank that does the same work as the measured one.",
     [](auto& row) { return row.simulated_rank; }, "beside"},
    {"simulated_step_us", "us", "Length of the simulated rank's step.",
     [](auto& row) { return row.simulated_step; }, "simulated"},
    {"step_us", "us", "Length of the measured rank's step.", [](auto& row) { return row.step; }, "measured"},
    {"compute_us", "us", "Time in the measured step in which the rank computes.",
     [](auto& row) { return row.compute; }, "computes"},
    {"exposed_us", "us", "Time in the measured step in which the rank only communicates.",
     [](auto& row) { return row.exposed; }, "exposed"},
    {"waits_us", "us",
     "Time that the rank spends in collectives until the last rank has come to them, as far as the ranks are "
     "known.",
     [](auto& row) { return row.waits; }, "waits"},
    {"idle_us", "us", "Time in the measured step in which the rank does nothing.",
     [](auto& row) { return row.idle; }, "idle"},
    {"late", "", "Number of collectives to which this rank came last.", [](auto& row) { return row.late; },
     "late"},
    {"awaited_us", "us", "Time for which other ranks waited for this one in those collectives.",
     [](auto& row) { return row.awaited; }},
};

std::string_view side_of(const auto& pair) {
  return pair.in_both() || pair.kind == ActivityKind::idle ? "both"
         : pair.measured.count > 0                         ? "measured"
                                                           : "simulated";
}

// These columns say how much both sides use row.pair.
template <class Row>
struct UseColumns {
  static constexpr Column<Row> simulated_count() {
    return {"simulated_count", "", "How often it occurs in the simulated step.",
            [](auto& row) { return row.pair.simulated.count; }};
  }
  static constexpr Column<Row> measured_count() {
    return {"measured_count", "", "How often it occurs in the measured step.",
            [](auto& row) { return row.pair.measured.count; }};
  }
  static constexpr Column<Row> simulated_busy() {
    return {"simulated_busy_us", "us", "Sum of the durations that it has in the simulated step.",
            [](auto& row) { return row.pair.simulated.busy; }};
  }
  static constexpr Column<Row> measured_busy() {
    return {"measured_busy_us", "us", "Sum of the durations that it has in the measured step.",
            [](auto& row) { return row.pair.measured.busy; }};
  }
};

constexpr Column<ActivityRow> activity_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return row.run; }, "", Form::csv},
    {"activity", "", "Name of the activity in words.", [](auto& row) { return label_of(row.pair); }},
    {"kind", "",
     "Kind of the activity, such as `matrix product` or `all-reduce`. `idle` is the rest of the time.",
     [](auto& row) { return words_of(row.pair.kind).word; }},
    {"bytes", "bytes", "Size of the collective's whole tensor or of the message, where both sides know it.",
     [](auto& row) { return row.pair.bytes; }},
    {"measured_bytes", "bytes", "Measured size, where it differs from the simulated one.",
     [](auto& row) { return row.pair.measured_bytes; }},
    {"group_size", "", "How many ranks take part in the collective, where both sides know it.",
     [](auto& row) { return row.pair.group_size > 0 ? std::optional(row.pair.group_size) : std::nullopt; }},
    {"side", "", "Step in which the activity occurs: `both`, `simulated` or `measured`.",
     [](auto& row) { return side_of(row.pair); }},
    UseColumns<ActivityRow>::simulated_count(),
    UseColumns<ActivityRow>::measured_count(),
    UseColumns<ActivityRow>::simulated_busy(),
    UseColumns<ActivityRow>::measured_busy(),
    {"simulated_share_us", "us", "Time of the simulated step that belongs to it alone.",
     [](auto& row) { return row.pair.simulated.share; }},
    {"measured_share_us", "us", "Time of the measured step that belongs to it, counted in the same way.",
     [](auto& row) { return row.pair.measured.share; }},
    {"change_us", "us",
     "How much more time of the measured step than of the simulated one belongs to it. These changes add up "
     "to the difference of the two steps.",
     [](auto& row) { return row.pair.change(); }},
};

constexpr Column<KernelRow> kernel_columns[] = {
    {"kind", "", "Kind of the kernel.", [](auto& row) { return words_of(row.pair.kind).word; }},
    {"name", "", "Name of the kernel.", [](auto& row) { return std::string_view(row.pair.name); }},
    UseColumns<KernelRow>::simulated_count(),
    UseColumns<KernelRow>::measured_count(),
    UseColumns<KernelRow>::simulated_busy(),
    UseColumns<KernelRow>::measured_busy(),
};

}  // namespace

const Table<StepPart> step_part_table(step_part_columns);
const Table<RankPair> rank_pair_table(rank_pair_columns);
const Table<ActivityRow> activity_table(activity_columns);
const Table<KernelRow> kernel_table(kernel_columns);

bool MeasuredComparison::all_matched() const {
  return std::ranges::all_of(
      activities, [](const ActivityPair& pair) { return pair.kind == ActivityKind::idle || pair.in_both(); });
}

MeasuredComparison compare_with_measured(const std::string& run, std::vector<RankActivities> simulated,
                                         std::vector<RankActivities> measured,
                                         std::optional<std::int64_t> step, Warnings& warnings) {
  warn_of_other_ranks(simulated, measured, warnings);
  warn_of_guessed_steps(measured, step, warnings);
  std::ranges::stable_sort(measured, {},
                           [](const RankActivities& rank) { return rank.rank.value_or(RankId(0)); });
  const std::vector<LateRank> late = cut_off_waits(measured);
  const Counterparts beside = counterparts_of(std::move(simulated), measured);
  MeasuredComparison comparison;
  comparison.run = run;
  comparison.steps = steps_in(measured.front(), step);
  if (!step && !measured.front().steps.empty())
    comparison.left_out = measured.front().steps.size() - comparison.steps;
  std::vector<StepProfile> simulated_profiles, measured_profiles;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const RankActivities& simulated_rank = beside.ranks[beside.of_measured[i]];
    simulated_profiles.push_back(profile_of(simulated_rank));
    measured_profiles.push_back(profile_of(measured[i], step));
    comparison.ranks.push_back(
        rank_pair(measured[i], simulated_rank, measured_profiles.back(), simulated_profiles.back()));
  }
  for (const LateRank& rank : late) {
    comparison.ranks[rank.rank].late = rank.collectives;
    comparison.ranks[rank.rank].awaited = rank.waited;
  }
  const StepProfile of_simulated = mean_of(simulated_profiles), of_measured = mean_of(measured_profiles);
  comparison.parts = parts_of(of_simulated, of_measured);
  comparison.activities = match_activities(of_simulated, of_measured);
  comparison.kernels = match_kernels(of_simulated, of_measured);
  return comparison;
}

}  // namespace orrery::core
