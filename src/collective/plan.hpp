// A collective, cut into chunks that pass the dimensions phase by phase.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "collective/schedule.hpp"
#include "events/clock.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery {

inline constexpr int max_dimensions = 10;
using DimensionSet = std::bitset<max_dimensions>;

struct CollectiveRequest {
  CollectiveKind kind = CollectiveKind::all_reduce;
  // Reduce-scatter, all-reduce, all-to-all: bytes each NPU holds before; all-gather: the bytes each NPU
  // contributes.
  Bytes size;
  DimensionSet dimensions;  // that take part
  bool urgent = false;      // ahead of everything issued normally
};

// One phase as it runs on any group of its dimension. Shared by all chunks that look the same.
struct PhaseShape {
  LogicalDimension group;
  Schedule schedule;
  // Exchanges only: duration of a message of each step; empty where it depends on the member.
  std::vector<Stamp> durations;
  // What it costs to add a received message to own data. Exchanges: of each step, empty when nothing is ever
  // added. Trees: one.
  std::vector<Time> reductions;

  // Exchanges: whether preparation k reduces, and what that costs.
  bool reduces(const ExchangeSchedule& exchange, std::uint64_t k) const {
    return !reductions.empty() && exchange.reducing(k);
  }
  Time reduction(std::uint64_t k) const {
    return reductions.size() == 1 ? reductions[0] : reductions[k % reductions.size()];
  }
};

struct PhasePlan {
  CollectiveKind kind;
  std::uint16_t dimension;  // in the list of its collective kind
  std::uint16_t queue;      // of the dimension
  Bytes input;
  const PhaseShape* shape;
};

struct ChunkPlan {
  Bytes bytes;
  std::vector<PhasePlan> phases;
};

struct CollectivePlan {
  CollectiveRequest request;
  int priority = 0;               // higher goes first
  std::vector<ChunkPlan> chunks;  // none: nothing to do
};

}  // namespace orrery
