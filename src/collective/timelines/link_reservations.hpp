// Keeps phases on a network without contention from asking more of links than these can carry.
//
// docs/models/network-link.md, The busiest link of a phase, has the whole rule. Messages still take their own
// time, whatever else is under way. But a phase has a busiest link, and the bytes that the phase puts on it
// take their time there, behind those of phases that have their turn before (LinkQueues):
//
//   begin   = the later of the phase's start and when the NPU's links have carried what comes before
//   carried = the latest of begin + bytes / bandwidth of the busiest link, later if others pass this phase
//   end    >= carried + latency between neighbours + endpoint delays before the first message and the end
//
// Links belong to a dimension of an NPU, and those of each NPU carry bytes by themselves.
// Phases use different links where all NPUs of a dimension are connected and their messages go to different
// peers, as those of two rings of opposite ways do. A phase whose messages never meet, such as a ring's,
// takes no longer than that by itself, so the rule changes nothing for it while it has its links to itself.
// Since every phase has the links of an NPU to itself for so long, no link is ever asked for more than the
// time of the run.
#pragma once

#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/phase/phase_traffic.hpp"
#include "collective/plan/system_config.hpp"
#include "collective/timelines/link_queues.hpp"
#include "collective/timelines/phase_timeline.hpp"
#include "events/clock.hpp"
#include "network/contention_free_network.hpp"
#include "topology/rank_classes.hpp"

namespace orrery::core {

class LinkReservations {
 public:
  // Keeps references.
  LinkReservations(const TrafficMachine& machine, const SystemConfig& system,
                   const ContentionFreeNetwork& network, const Clock& clock, const RankClasses& classes,
                   const std::vector<Communicator>& communicators);

  // A group starts a phase of a chunk; its members are given as classes, and the span has to stay valid.
  // Returns the earliest stamp at which they end it. Of phases that start in the same instant, the one that
  // is named first comes first among equals.
  Stamp earliest_end(const PhaseShape& shape, std::uint32_t chunk, std::span<const ClassId> members,
                     Stamp now);
  // Returns the same for one member of the group that was named last. It is called for each member, in their
  // order, of groups whose members may not end together. Where members run programs, one may be done long
  // before another.
  Stamp earliest_end_of_member(ClassId member, Stamp now);
  // A member is about to end its phase of a chunk, or the first one of a group for all of them together.
  // Returns when it ends it at the earliest if other phases have passed it since it started, else zero.
  Stamp moved_end(std::uint32_t chunk, ClassId member, Stamp now);

 private:
  // Returns the links that a phase uses in its dimension.
  const UsedLinks& links_of(const PhaseShape& shape);
  Stamp end_of(const LinkTurn& turn, std::uint64_t delays) const;
  Stamp end_of_program(const LinkTurn& turn, ClassId member);
  void watch(const LinkQueues::Turn& moved, Stamp now);
  Stamp own_bytes(const PhaseShape& shape, int npu) const;

  const SystemConfig& system_;
  const ContentionFreeNetwork& network_;
  const Clock& clock_;
  const RankClasses& classes_;
  PhaseLoads loads_;
  PhaseTimelines timelines_;
  const Topology& topology_;
  std::size_t dimensions_;  // number of dimensions of the topology
  // By dimension: whether all of its phases have the same groups. Then one member knows when the links of all
  // are free.
  std::vector<bool> same_groups_;
  LinkQueues queues_;
  LinkQueues::Turn last_;                                      // of the group that was named last
  Stamp last_end_ = 0;                                         // the earliest one of its members
  std::unordered_map<std::uint64_t, LinkQueues::Turn> moved_;  // by chunk and member that may end it later
  // When a member ends the last program that it was given, by the group's dimension and the member.
  std::map<std::pair<LogicalDimension, ClassId>, Stamp> programs_end_;
  std::map<const PhaseShape*, UsedLinks> used_;
};

}  // namespace orrery::core
