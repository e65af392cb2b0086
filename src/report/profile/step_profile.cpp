#include "report/profile/step_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

namespace {

MarkedStep step_numbered(const RankActivities& rank, std::int64_t step) {
  const auto marked = std::ranges::find(rank.steps, step, &MarkedStep::number);
  if (marked != rank.steps.end()) return *marked;
  if (rank.steps.empty())
    throw InputError({rank.source}, "no steps are marked in it (`ProfilerStep#...`), leave --step out");
  throw InputError({rank.source}, fmt::format("there is no step {} in it, its steps are {} to {}", step,
                                              rank.steps.front().number, rank.steps.back().number));
}

// Returns the marked steps that a profile is about.
std::vector<MarkedStep> chosen_steps(const RankActivities& rank, std::optional<std::int64_t> step) {
  if (step) return {step_numbered(rank, *step)};
  std::vector<MarkedStep> steps = rank.steps;
  std::erase_if(steps, [](const MarkedStep& one) { return !one.end_is_known; });
  return steps.empty() ? rank.steps : steps;
}

// Returns the times in which the chosen steps go on, with steps that follow one another as one.
std::vector<Interval> windows_of(const RankActivities& rank, const std::vector<MarkedStep>& steps) {
  std::vector<Interval> windows;
  for (const MarkedStep& step : steps)
    if (!windows.empty() && windows.back().end == step.start)
      windows.back().end = step.end;
    else
      windows.push_back({step.start, step.end});
  if (!windows.empty() || rank.activities.empty()) return windows;
  windows.push_back(rank.activities.front().interval);
  for (const Activity& activity : rank.activities)
    windows.back().end = std::max(windows.back().end, activity.interval.end);
  return windows;
}

// Divides the time of a window among the activities in it.
class Division {
 public:
  explicit Division(const std::vector<Activity>& activities) : shares_(activities.size()) {
    struct Edge {
      Time at;
      bool begins;
      std::size_t activity;
    };
    std::vector<Edge> edges;
    edges.reserve(2 * activities.size());
    for (std::size_t i = 0; i < activities.size(); ++i) {
      edges.push_back({activities[i].interval.start, true, i});
      edges.push_back({activities[i].interval.end, false, i});
    }
    // An activity that takes no time begins before it ends.
    std::ranges::stable_sort(edges, {}, &Edge::at);
    Time now;
    for (const Edge& edge : edges) {
      give(edge.at - now);
      now = edge.at;
      auto& active = active_[static_cast<std::size_t>(group_of(activities[edge.activity].kind))];
      edge.begins ? static_cast<void>(active.insert(edge.activity))
                  : static_cast<void>(active.erase(edge.activity));
    }
  }

  Time share(std::size_t activity) const { return shares_[activity]; }
  Time overlapped() const { return overlapped_; }

 private:
  // Activities are in the order of their starts, so the first of a set began first.
  void give(Time time) {
    const auto& computes = active_[static_cast<std::size_t>(ActivityGroup::compute)];
    const auto& communicates = active_[static_cast<std::size_t>(ActivityGroup::communication)];
    if (!computes.empty() && !communicates.empty()) overlapped_ += time;
    for (const auto& active : active_)
      if (!active.empty()) {
        shares_[*active.begin()] += time;
        return;
      }
  }

  std::vector<Time> shares_;
  Time overlapped_;
  std::array<std::set<std::size_t>, busy_groups> active_;
};

Time divided(Time time, std::size_t parts) {
  return Time::from_ps(time.ps() / static_cast<std::int64_t>(parts));
}

void divide(ActivityUse& use, std::size_t parts) {
  use = {use.count / static_cast<double>(parts), divided(use.busy, parts), divided(use.share, parts)};
}

// Quotients are cut to picoseconds, so that the length has to follow from them.
void divide(StepProfile& profile, std::size_t parts) {
  profile.overlapped = divided(profile.overlapped, parts);
  for (auto& [key, use] : profile.classes) divide(use, parts);
  for (auto& [key, use] : profile.kernels) divide(use, parts);
  profile.length = Time();
  for (const auto& [key, use] : profile.classes) profile.length += use.share;
}

// Returns the activities that begin in the window, with what goes on behind its end as the first ones: what
// is cut off there is no activity of its own.
struct CutActivities {
  std::vector<Activity> activities;
  std::size_t cut_off = 0;  // so many of the first ones
};
CutActivities activities_in(const RankActivities& rank, const Interval& window) {
  CutActivities cut;
  std::vector<Activity> whole;
  for (const Activity& activity : rank.activities) {
    if (activity.interval.start < window.start || activity.interval.start >= window.end) continue;
    whole.push_back(activity);
    Time& end = whole.back().interval.end;
    if (end <= window.end) continue;
    Activity rest = activity;
    rest.interval = {window.start, std::min(window.start + (end - window.end), activity.interval.start)};
    end = window.end;
    if (rest.interval.end > rest.interval.start) cut.activities.push_back(rest);
  }
  cut.cut_off = cut.activities.size();
  cut.activities.insert(cut.activities.end(), whole.begin(), whole.end());
  return cut;
}

// Adds what goes on in a window to the profile, and returns whether that is anything.
bool add_window(const RankActivities& rank, const Interval& window, StepProfile& profile) {
  const auto [inside, cut_off] = activities_in(rank, window);
  const Division division(inside);
  profile.overlapped += division.overlapped();
  Time idle = window.end - window.start;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const Activity& activity = inside[i];
    const ActivityUse use{i < cut_off ? 0.0 : 1.0, activity.interval.end - activity.interval.start,
                          division.share(i)};
    idle -= use.share;
    profile.classes[{activity.kind, activity.bytes, activity.group_size}] += use;
    if (group_of(activity.kind) == ActivityGroup::compute)
      profile.kernels[{activity.kind, rank.names[activity.name]}] += use;
  }
  if (idle > Time()) profile.classes[{ActivityKind::idle}] += {0, idle, idle};
  return !inside.empty();
}

}  // namespace

ActivityUse& ActivityUse::operator+=(const ActivityUse& other) {
  count += other.count;
  busy = saturated_sum(busy, other.busy);
  share += other.share;
  return *this;
}

Time StepProfile::share_of(ActivityGroup group) const {
  Time sum;
  for (const auto& [of, use] : classes)
    if (group_of(of.kind) == group) sum += use.share;
  return sum;
}

StepProfile profile_of(const RankActivities& rank, std::optional<std::int64_t> step) {
  const std::vector<MarkedStep> steps = chosen_steps(rank, step);
  StepProfile profile;
  bool is_empty = true;
  for (const Interval& window : windows_of(rank, steps)) is_empty &= !add_window(rank, window, profile);
  if (is_empty) throw InputError({rank.source}, "the device does nothing in its steps");
  divide(profile, std::max<std::size_t>(steps.size(), 1));
  return profile;
}

std::size_t steps_in(const RankActivities& rank, std::optional<std::int64_t> step) {
  return std::max<std::size_t>(chosen_steps(rank, step).size(), 1);
}

std::vector<MarkedStep> guessed_steps(const RankActivities& rank, std::optional<std::int64_t> step) {
  std::vector<MarkedStep> steps = chosen_steps(rank, step);
  std::erase_if(steps, &MarkedStep::end_is_known);
  return steps;
}

StepProfile mean_of(const std::vector<StepProfile>& profiles) {
  StepProfile mean;
  for (const StepProfile& profile : profiles) {
    mean.overlapped += profile.overlapped;
    for (const auto& [key, use] : profile.classes) mean.classes[key] += use;
    for (const auto& [key, use] : profile.kernels) mean.kernels[key] += use;
  }
  if (!profiles.empty()) divide(mean, profiles.size());
  return mean;
}

}  // namespace orrery::core
