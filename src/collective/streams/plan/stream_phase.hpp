// A stream phase is what a rank does with a chunk of a collective in one dimension or group.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/algorithms/schedule.hpp"
#include "collective/plan/system_config.hpp"
#include "program/members.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery {

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
  std::uint32_t base = 0, position = 0;

  // of_group() returns the members of a group, and the other function the ranks that differ from `rank` in a
  // dimension.
  static StreamMembers of_group(const Communicator& group, std::uint32_t rank) {
    return {&group, {}, 0, place_among_members(rank, {}, group)};
  }
  static StreamMembers along(const LogicalDimension& dimension, std::uint32_t rank) {
    return {nullptr, dimension, static_cast<std::uint32_t>(dimension.base(static_cast<int>(rank))),
            static_cast<std::uint32_t>(dimension.position(static_cast<int>(rank)))};
  }
  std::uint32_t rank_at(std::uint32_t place) const {
    return group ? static_cast<std::uint32_t>(group->members[place])
                 : base + place * static_cast<std::uint32_t>(dimension.stride);
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
  std::uint32_t origin = 0;  // custom: rank that the program calls position 0
};

}  // namespace orrery
