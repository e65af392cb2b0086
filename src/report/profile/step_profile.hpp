// Says what the time of a training step goes to, by kinds of activities.
//
// Every instant of the step belongs to one activity: to one that computes, else to one that communicates,
// else to one that copies, else to nothing (idle). Among several of the same group it belongs to the one that
// began first. So the shares of all kinds add up to the length of the step, and the shares of communication
// to what is exposed.
//
// Steps are taken to follow one another. An activity that goes on when the next step begins, such as a gather
// of weights, counts at the beginning of its own step, where that of the step before goes on.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/profile/activity.hpp"

namespace orrery::core {

// Activities that are compared as one.
struct ActivityClass {
  ActivityKind kind = ActivityKind::other;
  std::optional<Bytes> bytes = {};  // bytes of communication, if known
  std::uint32_t group_size = 0;     // ranks of communication; 0: not known

  auto operator<=>(const ActivityClass&) const = default;
};

struct ActivityUse {
  double count = 0;
  Time busy;   // sum of durations
  Time share;  // time of the step that belongs to it

  ActivityUse& operator+=(const ActivityUse& other);
};

// Means over steps and ranks.
struct StepProfile {
  Time length;                                   // sum of all shares
  Time overlapped;                               // time in which the rank computes and communicates
  std::map<ActivityClass, ActivityUse> classes;  // includes `idle`, whose count is 0
  std::map<std::pair<ActivityKind, std::string>, ActivityUse> kernels;  // activities that compute, by name

  // Returns the sum over the classes of a group. For the group `none` it is the idle time.
  Time share_of(ActivityGroup group) const;
};

// Returns the profile of one step, or of the mean over all steps that are marked. Steps whose end is not
// known are no part of the mean if there are others. Throws InputError where no step of that number is
// marked, or where nothing is in it.
StepProfile profile_of(const RankActivities& rank, std::optional<std::int64_t> step = std::nullopt);
// Returns the number of steps over which that profile is a mean.
std::size_t steps_in(const RankActivities& rank, std::optional<std::int64_t> step = std::nullopt);
// Returns the steps in that profile whose end is not known, so that their length is a guess.
std::vector<MarkedStep> guessed_steps(const RankActivities& rank, std::optional<std::int64_t> step);

StepProfile mean_of(const std::vector<StepProfile>& profiles);

}  // namespace orrery::core
