// The routes of ns-3's back end: every switch hashes the addresses and ports of a flow to choose among its
// neighbours on shortest routes.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "network/packet/routes/packet_routes.hpp"
#include "topology/graph/formats/node_numbers.hpp"

namespace orrery::core {

// The address of a host, and the ports of a flow, where `flow` counts the flows between the same hosts.
std::uint32_t ns3_address(std::uint32_t host);
std::uint32_t ns3_source_port(std::uint32_t flow);
inline constexpr std::uint32_t ns3_destination_port = 100;

class Ns3Ways final : public RouteSelector {
 public:
  // Keeps a reference.
  Ns3Ways(const NetworkGraph& graph, const PacketSettings& settings);

  std::optional<PacketRoutes> choose(int source, int destination, Channel channel,
                                     std::uint32_t stripe) override;
  std::optional<PacketRoutes> choose_again(int source, int destination, Channel channel,
                                           std::uint32_t flow) override;
  void set_share(LinkId link, double share) override {
    broken_[link.index()] = share == 0;
    links_have_changed_ = true;
  }
  void links_changed() override;
  PairFacts facts(int source, int destination, const PacketRoutes& routes) override;
  Time lead(Channel, int, int, std::vector<NodeId>) override { return Time(); }

 private:
  struct Neighbour {
    NodeId node;
    LinkId link;  // link that leads there; if there are several, the one that was added last
  };
  // What a search from a destination finds, by node. Destinations behind the same switch share a search.
  struct Table {
    struct Entry {
      std::uint32_t first_hop = 0, hops = 0;  // places in `links`
      bool reached = false;
      std::uint32_t distance = 0;
      Stamp delay = 0, transmission = 0;  // for a payload, along the route that was found first
      std::uint64_t rate = 0;             // bit/s, the least
    };
    std::vector<Entry> nodes;
    std::vector<LinkId> links;  // links that lead on, in the order in which they were found
  };
  struct Ends {                         // of a hash
    std::uint32_t source, destination;  // addresses
    std::uint32_t source_port, destination_port;
  };

  void find_neighbours();
  NodeId root_of(NodeId host) const;
  const Table& table_to(NodeId root);
  Table search(NodeId root) const;
  void extend(Table::Entry& entry, const Table::Entry& from, LinkId link) const;
  std::optional<LinkId> link_between(NodeId from, NodeId to) const;
  // Returns no links where none lead there since links have changed.
  std::vector<LinkId> walk(NodeId source, NodeId destination, const Ends& ends);
  PairFacts facts_of(NodeId source, NodeId destination);
  PairFacts largest_facts();

  const NetworkGraph& graph_;
  NodeNumbers numbers_;
  std::uint32_t payload_;
  bool whole_nanoseconds_;
  bool largest_of_all_;
  bool links_have_changed_ = false;
  std::vector<bool> broken_;                            // by link
  std::vector<std::vector<Neighbour>> neighbours_;      // by node, in descending order
  std::vector<std::optional<Table>> tables_;            // by root
  std::map<std::pair<int, int>, std::uint32_t> flows_;  // number of flows of a pair until now
  std::optional<PairFacts> largest_;
};

}  // namespace orrery::core
