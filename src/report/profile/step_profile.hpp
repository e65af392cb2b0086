// What a training step of ranks goes to, by kinds of activities.
//
// Every instant of the step belongs to one thing: to what computes, else to what communicates, else to what
// copies, else to nothing (idle); among several of these to the one that began first. So the shares of all
// kinds add up to the length of the step, and those of communication to what is exposed.
//
// Steps are taken to follow one another. What goes on when the next one begins, such as a gather of weights,
// counts at the beginning of its own step, where that of the step before goes on.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/profile/activity.hpp"

namespace orrery {

// Activities that are compared as one.
struct ActivityClass {
  ActivityKind kind = ActivityKind::other;
  std::optional<Bytes> bytes = {};  // of communication, if known
  std::uint32_t group_size = 0;     // likewise; 0: not known

  auto operator<=>(const ActivityClass&) const = default;
};

struct ActivityUse {
  double count = 0;
  Time busy;   // sum of durations
  Time share;  // of the step

  ActivityUse& operator+=(const ActivityUse& other);
};

// Means over steps and ranks.
struct StepProfile {
  Time length;                                   // sum of all shares
  Time overlapped;                               // time in which the rank computes and communicates
  std::map<ActivityClass, ActivityUse> classes;  // `idle` among them, whose count is 0
  std::map<std::pair<ActivityKind, std::string>, ActivityUse> kernels;  // by name, of what computes

  // Returns the sum over the classes of a group; of `none` what is idle.
  Time share_of(ActivityGroup group) const;
};

// Returns the profile of one step, or of the mean over all that are marked. Throws InputError where no step
// of that number is marked, or nothing is in it.
StepProfile profile_of(const RankActivities& rank, std::optional<std::int64_t> step = std::nullopt);
// Returns the number of steps over which that is a mean.
std::size_t steps_in(const RankActivities& rank, std::optional<std::int64_t> step = std::nullopt);

StepProfile mean_of(const std::vector<StepProfile>& profiles);

}  // namespace orrery
