// Keeps phases on a network without contention from asking more of links than these can carry.
//
// docs/models/network-link.md, The busiest link of a phase, has the whole rule. Messages still take their own
// time, whatever else is under way. But a phase has a busiest link, and the bytes that the phase puts on it
// take their time there, behind those of phases that began before it:
//
//   begin = the later of the phase's start and when the links that it uses have carried what came before
//   free  = begin + bytes / bandwidth of the busiest link
//   end  >= free + latency between neighbours + endpoint delays before the first message and after the last
//
// Links belong to a dimension of an NPU; a group begins when those that it uses of all its members are free.
// Phases use different links where all NPUs of a dimension are connected and their messages go to different
// peers, as those of two rings of opposite ways do. A phase whose messages never meet, such as a ring's,
// takes no longer than that by itself, so the rule changes nothing for it while it has its links to itself.
// Since every phase books its busiest link, no link is ever asked for more than the time of the run.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "collective/booked_links.hpp"
#include "collective/phase_timeline.hpp"
#include "collective/phase_traffic.hpp"
#include "collective/system_config.hpp"
#include "events/clock.hpp"
#include "network/contention_free_network.hpp"
#include "topology/rank_classes.hpp"

namespace orrery {

class LinkTurns {
 public:
  // Keeps references.
  LinkTurns(const TrafficMachine& machine, const SystemConfig& system, const ContentionFreeNetwork& network,
            const Clock& clock, const RankClasses& classes, const std::vector<Communicator>& communicators);

  // A group starts a phase; its members are given as classes. Returns the earliest stamp at which they end
  // it. Of phases that start in the same instant, the one that is named first comes first.
  Stamp earliest_end(const PhaseShape& shape, std::span<const std::uint32_t> members, Stamp now);
  // Returns the same for one member of the group that was named last, for phases in which members run
  // programs and one may be done long before another. The member ends as if the phase began when the links
  // are free. Where messages meet, so that the phase by itself would ask more of a link than it can carry, no
  // member ends before that link has carried all bytes.
  Stamp earliest_end_of_member(const PhaseShape& shape, std::uint32_t member);

 private:
  // Returns the links that a phase uses in its dimension.
  const UsedLinks& links_of(const PhaseShape& shape);
  Stamp end_of(Stamp carried, int base, int stride, std::uint64_t delays) const;

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
  Stamp begin_ = 0;                 // when the links are free, for the group that was named last
  std::vector<BookedLinks> links_;  // by class and dimension
  std::map<const PhaseShape*, UsedLinks> used_;
};

}  // namespace orrery
