// A stream phase is what a rank does with a chunk of a collective in one dimension or group.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/algorithms/schedule.hpp"
#include "collective/plan/system_config.hpp"
#include "program/members.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery::core {

// A phase as it runs on any of its groups.
struct StreamShape {
  Schedule schedule;
  Bytes input;
  Algorithm algorithm = nullptr;
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<Time> reductions;  // exchanges: by step; trees: one
  Bytes sent;                    // exchanges: by each member
};

// The ranks that take part in a phase of a rank.
struct StreamMembers {
  const Communicator* group = nullptr;  // the listed group; null: use `dimension`
  LogicalDimension dimension;           // otherwise the ranks that differ in one coordinate
  RankId base;
  std::uint32_t position = 0;

  // of_group() returns the members of a group, and the other function the ranks that differ from `rank` in a
  // dimension.
  static StreamMembers of_group(const Communicator& group, RankId rank) {
    return {&group, {}, RankId(0), place_among_members(rank, {}, group)};
  }
  static StreamMembers along(const LogicalDimension& dimension, RankId rank) {
    return {nullptr, dimension, RankId(dimension.base(npu_of(rank))),
            static_cast<std::uint32_t>(dimension.position(npu_of(rank)))};
  }
  RankId rank_at(std::uint32_t place) const {
    return group ? group->members[place]
                 : RankId(base.value() + place * static_cast<std::uint32_t>(dimension.stride));
  }
  std::uint32_t size() const {
    return static_cast<std::uint32_t>(group ? static_cast<int>(group->members.size()) : dimension.size);
  }
};

struct StreamPhase {
  const StreamShape* shape = nullptr;  // or
  const MemberProgram* custom = nullptr;
  StreamMembers members;
  std::uint32_t queue = 0;   // index among the queues of the rank
  std::uint32_t origin = 0;  // custom: position of the rank that the program calls 0
};

}  // namespace orrery::core
