// The channels by which NCCL 2.27 carries out collectives of a group: rings and trees over all members of the
// group. They are found by a search on each machine and joined between machines.
//
//   - Search channel c leaves a machine by the port of its exit and enters the next one, in the order of the
//     group, by that of its entry. Where rings cross NICs, every other machine swaps channels 2k and 2k + 1,
//     so that data stays on its rail.
//   - Trees between machines are double binary trees; inside a machine a tree is a chain.
//   - Every search channel is executed at least twice: both share the ring, and each has a tree of its own.
//
// CollNet, and trees split between two halves of a machine, are left out.
#pragma once

#include <memory>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "topology/channels/host_channels.hpp"

namespace orrery::core {

// A hop from a member to another one, by these nodes: a GPU that passes the data on to its NIC, and the NICs.
struct ChannelHop {
  NodeId from, to;
  std::vector<NodeId> through;
  bool between_machines = false;
  bool operator==(const ChannelHop&) const = default;
};

class GroupChannels {
 public:
  // Machines that are alike share what has been found on one of them.
  struct HostPlan {
    HostGraph shape;
    std::unique_ptr<HostPaths> paths;  // paths of the shape
    HostChannels ring, tree;
    std::vector<std::uint32_t> heads;  // GPUs that reduce in an NVLink switch (NVLS); empty where none does
    bool has_no_ring = false;          // at any rate that NCCL tries, so that it takes simple_order()
  };

  // Members are NPUs, in the order of the group. Throws InputError at `where` if members cannot reach one
  // another.
  GroupChannels(const NetworkGraph& graph, const std::vector<NodeId>& members, const SourceLocation& where);

  std::size_t searched() const { return searched_; }
  // Returns the number of channels that carry data at the same time.
  std::size_t executed() const { return executed_; }
  const std::vector<Host>& hosts() const { return hosts_; }
  const HostPlan& plan(std::size_t host) const { return *plans_[plan_of_host_[host]]; }
  // Returns the part of a ring's channel that runs on a machine.
  const HostChannel& ring_on(std::size_t host, std::size_t channel) const;

  // Returns the hops of a channel's ring. Each hop starts where the one before it has ended.
  std::vector<ChannelHop> ring(std::size_t channel) const;
  // Returns the edges of a channel's tree, from children to parents.
  std::vector<ChannelHop> tree(std::size_t channel) const;
  // Returns the port that a GPU of a machine uses.
  std::uint32_t port_of(std::size_t host, std::uint32_t gpu) const {
    return plan(host).paths->port_of(gpu, 0).value_or(0);
  }
  // Returns the way from a GPU of a machine to a GPU of another one, by the ports that they use.
  ChannelHop by_ports(std::size_t from_host, std::uint32_t from, std::size_t to_host,
                      std::uint32_t to) const {
    return between(from_host, from, port_of(from_host, from), to_host, to, port_of(to_host, to));
  }
  // Returns the ways between all members, which an all-to-all takes: to the NIC of the receiver's rail inside
  // the sender's machine, where an NVLink leads near it.
  std::vector<ChannelHop> pairs() const;

 private:
  void find_channels_of(HostPlan& plan, const NetworkGraph& graph, const Host& host,
                        const SourceLocation& where) const;
  std::optional<ChannelHop> by_rail(std::size_t from_host, std::uint32_t from, std::size_t to_host,
                                    std::uint32_t to) const;
  void plan_hosts(const NetworkGraph& graph, const SourceLocation& where);
  void count_channels();
  bool swaps(std::size_t host) const;
  ChannelHop between(std::size_t from_host, std::uint32_t from_gpu, std::uint32_t exit, std::size_t to_host,
                     std::uint32_t to_gpu, std::uint32_t entry) const;
  ChannelHop to_parent(std::size_t host, std::size_t parent, bool first_child, std::size_t channel) const;

  std::vector<Host> hosts_;
  std::vector<std::unique_ptr<HostPlan>> plans_;
  std::vector<std::size_t> plan_of_host_;
  std::size_t searched_ = 0, executed_ = 0;
};

// Warns of machines whose GPUs no ring joins at any rate that NCCL tries: it falls back to one channel in the
// order of the GPUs. Machines are those of all NPUs, each by itself; of those that are alike only the first
// is named.
void warn_of_missing_rings(const NetworkGraph& graph, const SourceLocation& where, Warnings& warnings);

}  // namespace orrery::core
