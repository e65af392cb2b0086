// Finds the lanes of links that wait for ever because they wait for one another.
//
// A lane is stuck when it can send nothing until packets leave the node at its other end, and all of these
// packets wait for lanes that are stuck. Whatever else goes on, that stays so until links change. As every
// stuck lane waits for another one, some of them form a circle.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "network/packet/flow_control/flow_control.hpp"
#include "network/packet/links/packet_links.hpp"

namespace orrery::core {

struct LinkLane {
  LinkId link;
  int lane = 0;  // or priority

  auto operator<=>(const LinkLane&) const = default;
};

class StuckLinks {
 public:
  // Packets that have come over one lane and wait for another one.
  struct Waiting {
    std::size_t packets = 0;
    std::set<std::uint32_t> queue_pairs;  // queue pairs that they belong to
  };

  StuckLinks(const PacketLinks& links, const FlowControl& flow_control);

  bool any() const { return !stuck_.empty(); }
  std::size_t count() const { return stuck_.size(); }
  // Returns lanes each of which waits for the next one, and the last one for the first. There have to be
  // stuck lanes.
  std::vector<LinkLane> circle() const;
  // Returns the packets because of which a stuck lane waits for another one.
  const Waiting& waiting(LinkLane lane, LinkLane next) const { return stuck_.at(lane).at(next); }

 private:
  void find_held(const PacketLinks& links, const FlowControl& flow_control);
  void find_waits(const PacketLinks& links, const FlowControl& flow_control);
  bool may_go_on(const std::map<LinkLane, Waiting>& waits_for) const;

  std::map<LinkLane, std::map<LinkLane, Waiting>> stuck_;  // by lane and the one that it waits for
};

}  // namespace orrery::core
