// A collective, cut into chunks that pass the dimensions phase by phase.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/algorithms/schedule.hpp"
#include "events/clock.hpp"
#include "program/collective_request.hpp"
#include "topology/logical_dimension.hpp"
#include "topology/reduction_trees.hpp"

namespace orrery::core {

// A phase as it runs on any group of its dimension. All chunks that look the same share it.
struct PhaseShape {
  LogicalDimension group;
  Schedule schedule;
  // For exchanges only: the duration of a message, by step. It is empty if the duration depends on the
  // member.
  std::vector<Stamp> durations;
  // Times to add a received message to own data. Exchanges have one entry per step, or none if nothing is
  // ever added. Trees have one entry.
  std::vector<Time> reductions;
  // For programs only: the root's position in its group, and the positions along other dimensions at which
  // ranks have to stand for their group to take part. The ranks of other groups go past the phase.
  struct Pin {
    LogicalDimension dimension;
    int position;
  };
  std::uint32_t root = 0;
  std::vector<Pin> pins = {};
  const ReductionTrees* trees = nullptr;  // for programs of which switches do a part

  // Returns the device of the network at which a member of a program, on that NPU, does a step, or has the
  // other end of a message: the NPU or a switch.
  int device(int npu, std::uint32_t at) const {
    return at == MemberProgram::npu ? npu : trees->device(npu, at);
  }

  // Returns whether the group of `npu` takes part.
  bool takes_part(int npu) const {
    for (const Pin& pin : pins)
      if (pin.dimension.position(npu) != pin.position) return false;
    return true;
  }

  // For exchanges: reduces() returns whether preparation k reduces, and reduction() the time that this takes.
  bool reduces(const ExchangeSchedule& exchange, std::uint64_t k) const {
    return !reductions.empty() && exchange.reducing(k);
  }
  Time reduction(std::uint64_t k) const {
    return reductions.size() == 1 ? reductions[0] : reductions[k % reductions.size()];
  }
};

struct PhasePlan {
  CollectiveKind kind;
  std::uint16_t dimension;  // of the communicator: the one, or the innermost of those that the phase joins
  std::uint16_t queue;      // index among the queues of the dimension
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

}  // namespace orrery::core
