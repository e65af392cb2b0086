// Which links the packets of a flow take, and those of its acknowledgements.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "events/clock.hpp"
#include "network/transport.hpp"
#include "topology/graph/network_graph.hpp"
#include "topology/topology.hpp"

namespace orrery {

struct PacketSettings;

struct PacketWays {
  std::vector<LinkId> data, acks;  // link by link
  std::uint32_t flow = 0;          // by which the flow finds its way again
};

// The ways of all flows. One is known by the place of its first link; a place behind the last one holds
// `no_link`.
class StoredWays {
 public:
  std::uint32_t store(const std::vector<LinkId>& way) {
    const auto [known, is_new] = known_.try_emplace(way, static_cast<std::uint32_t>(links_.size()));
    if (is_new) {
      links_.insert(links_.end(), way.begin(), way.end());
      links_.push_back(NetworkGraph::no_link);
    }
    return known->second;
  }
  LinkId operator[](std::uint32_t place) const { return links_[place]; }

 private:
  std::vector<LinkId> links_;
  std::map<std::vector<LinkId>, std::uint32_t> known_;
};

// What a flow can expect of an empty network.
struct PairFacts {
  Stamp rtt = 0;             // ps: the delays there and back, and a payload on each link of the way there
  std::uint64_t window = 0;  // bytes under way in that time at the rate of the slowest link
};

class WayChoice {
 public:
  virtual ~WayChoice() = default;
  // Returns into how many stripes a message is divided, each of which is a flow of its own.
  virtual std::uint32_t stripes(int /*source*/, int /*destination*/, Channel /*channel*/) { return 1; }
  // Returns the ways of a new flow between two NPUs. Throws InputError where none leads there.
  virtual PacketWays choose(int source, int destination, Channel channel, std::uint32_t stripe) = 0;
  // Returns the ways of a flow that has had others until links changed.
  virtual PacketWays choose_again(int source, int destination, Channel channel, std::uint32_t flow) = 0;
  // A link has that share of its bandwidth from now on; with 0 it is broken. links_changed() has to follow.
  virtual void set_share(LinkId link, double share) = 0;
  virtual void links_changed() = 0;
  // Returns what holds for the pair; `ways` are those that were chosen last for it.
  virtual PairFacts facts(int source, int destination, const PacketWays& ways) = 0;
  // Has messages of a channel pass these nodes from now on, and returns the latency of such a way.
  virtual Time lead(Channel channel, int source, int destination, std::vector<std::uint32_t> through) = 0;
};

// Keeps references.
std::unique_ptr<WayChoice> make_way_choice(const Topology& topology, const PacketSettings& settings);

}  // namespace orrery
