// Describes what the device of a rank does, whether simulated or measured: kernels, copies and communication.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units/bytes.hpp"
#include "base/units/rank_id.hpp"
#include "base/units/time.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

enum class ActivityKind : std::uint8_t {
  matrix_product,
  attention,
  convolution,
  normalisation,
  softmax,
  embedding,
  elementwise,
  reduction,
  pooling,
  optimizer,
  layer,  // everything that a layer computes, in one go
  other,
  compute,  // compute of any kind, where one side tells no kinds apart
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  barrier,
  send,
  receive,
  message,  // sent or received
  wait,     // in a collective, until the last rank has come to it
  other_communication,
  copy,
  memset,
  idle,
};

// Where several activities go on at the same time, the first of these groups counts.
enum class ActivityGroup : std::uint8_t { compute, communication, copy, none };
inline constexpr std::size_t busy_groups = 3;

struct ActivityKindWords {
  std::string_view word, several;
  ActivityKind value;
  ActivityGroup group;
};
// By ActivityKind. Words of collectives are those of CollectiveKind.
inline constexpr std::array<ActivityKindWords, 30> activity_kinds{{
    {"matrix product", "matrix products", ActivityKind::matrix_product, ActivityGroup::compute},
    {"attention", "attention", ActivityKind::attention, ActivityGroup::compute},
    {"convolution", "convolutions", ActivityKind::convolution, ActivityGroup::compute},
    {"normalisation", "normalisations", ActivityKind::normalisation, ActivityGroup::compute},
    {"softmax and loss", "softmax and loss", ActivityKind::softmax, ActivityGroup::compute},
    {"embedding", "embeddings", ActivityKind::embedding, ActivityGroup::compute},
    {"elementwise", "elementwise kernels", ActivityKind::elementwise, ActivityGroup::compute},
    {"reduction", "reductions and sorts", ActivityKind::reduction, ActivityGroup::compute},
    {"pooling", "pooling", ActivityKind::pooling, ActivityGroup::compute},
    {"optimizer", "optimizer", ActivityKind::optimizer, ActivityGroup::compute},
    {"layer", "layers", ActivityKind::layer, ActivityGroup::compute},
    {"other", "other kernels", ActivityKind::other, ActivityGroup::compute},
    {"compute", "all compute", ActivityKind::compute, ActivityGroup::compute},
    {"all-reduce", "all-reduces", ActivityKind::all_reduce, ActivityGroup::communication},
    {"all-gather", "all-gathers", ActivityKind::all_gather, ActivityGroup::communication},
    {"reduce-scatter", "reduce-scatters", ActivityKind::reduce_scatter, ActivityGroup::communication},
    {"all-to-all", "all-to-alls", ActivityKind::all_to_all, ActivityGroup::communication},
    {"broadcast", "broadcasts", ActivityKind::broadcast, ActivityGroup::communication},
    {"reduce", "reduces", ActivityKind::reduce, ActivityGroup::communication},
    {"gather", "gathers", ActivityKind::gather, ActivityGroup::communication},
    {"scatter", "scatters", ActivityKind::scatter, ActivityGroup::communication},
    {"barrier", "barriers", ActivityKind::barrier, ActivityGroup::communication},
    {"send", "sends", ActivityKind::send, ActivityGroup::communication},
    {"receive", "receives", ActivityKind::receive, ActivityGroup::communication},
    {"send or receive", "sends and receives", ActivityKind::message, ActivityGroup::communication},
    {"wait", "waits for late ranks", ActivityKind::wait, ActivityGroup::communication},
    {"other communication", "other communication", ActivityKind::other_communication,
     ActivityGroup::communication},
    {"copy", "copies", ActivityKind::copy, ActivityGroup::copy},
    {"memset", "memsets", ActivityKind::memset, ActivityGroup::copy},
    {"idle", "idle", ActivityKind::idle, ActivityGroup::none},
}};
constexpr const ActivityKindWords& words_of(ActivityKind kind) {
  return activity_kinds[static_cast<std::size_t>(kind)];
}
constexpr ActivityGroup group_of(ActivityKind kind) {
  return words_of(kind).group;
}
constexpr bool is_communication(ActivityKind kind) {
  return group_of(kind) == ActivityGroup::communication;
}

struct Activity {
  ActivityKind kind = ActivityKind::other;
  std::uint32_t name = 0;  // in RankActivities::names
  Interval interval;
  // These are known for communication:
  // Bytes of the whole tensor; for an all-gather, those that all members have at the end.
  std::optional<Bytes> bytes = {};
  std::uint32_t group_size = 0;  // 0: not known
  // Number in names of a text that all its members have in common; "": not known.
  std::uint32_t group = 0;
};

// A training step as the device sees it. A step of a device ends where the next one begins; where none
// follows, its end is not known, and `end` is a guess (one_after_another() in device_activities.cpp).
struct MarkedStep {
  std::int64_t number = 0;
  Time start, end;
  bool end_is_known = true;
};

// What one rank does, in the order in which activities start.
struct RankActivities {
  std::string source;            // the file, or the run
  std::optional<RankId> rank;    // none: not known
  std::vector<RankId> ranks;     // ranks that do the same, if these are known; ascending
  std::size_t ranks_of_run = 0;  // 0: not known
  std::vector<std::string> names{""};
  std::vector<Activity> activities;
  std::vector<MarkedStep> steps;  // steps by their starts, each until the next one; none: no steps are marked
};

}  // namespace orrery::core
