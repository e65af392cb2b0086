// One machine of a network as NCCL sees it: GPUs, PCIe switches, CPUs, one NVLink switch, NICs and their
// ports.
//
// The following rules say which nodes of a network form a machine, and what NCCL 2.27 takes links for:
//
//   - A machine is what remains joined when links of the fabric are cut. These are the links of a NIC to a
//     switch or another NIC, and other links of switches that are not striped. Striped links are NVLinks.
//   - An NPU with a link of the fabric is its own NIC.
//   - Of every 25 GB/s of an NVLink, begun or whole, NCCL counts 20 up to the A100, 20.6 on the H100
//   and 20.05
//     on the B200, but no more than the link has. The sum of a GPU's NVLinks tells which one it is: below 200
//     GB/s an older one than the A100, below 330 an A100, below 660 an H100. GPUs without any are like A100.
//   - A PCIe link counts as the largest of 3, 6, 12, 24, 48 ... GB/s that it has.
//   - A port has the bandwidth of its NIC's links of the fabric.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// MB/s in whole numbers, so that room that is taken and given back is the same again.
using Rate = std::int64_t;

constexpr Rate rate_of_gb_per_s(double gb_per_s) {
  return static_cast<Rate>(gb_per_s * 1000 + 0.5);
}

enum class HostNodeKind : std::uint8_t { gpu, port, nic, pcie_switch, cpu, nvlink_switch };

// The compute capability of a GPU, as far as channels depend on it.
enum class GpuGeneration : std::uint8_t { before_ampere, ampere, hopper, blackwell };

// Only the shape of a machine, so that machines that are alike are equal. GPUs come first, in the order of
// the network, then the ports.
struct HostGraph {
  struct Link {
    std::uint32_t to = 0;
    Rate rate = 0;
    bool nvlink = false;
    std::uint32_t reverse = 0;  // the same link in the other direction
    bool operator==(const Link&) const = default;
  };
  struct Node {
    HostNodeKind kind;
    std::vector<std::uint32_t> links;  // links that leave it
    bool operator==(const Node&) const = default;
  };

  std::uint32_t gpus = 0, ports = 0;
  std::vector<std::uint32_t> devices;  // by GPU: its number among all GPUs of the machine
  std::vector<Node> nodes;
  std::vector<Link> links;
  GpuGeneration generation = GpuGeneration::before_ampere;

  bool operator==(const HostGraph&) const = default;

  std::uint32_t port(std::uint32_t index) const { return gpus + index; }  // number of the port's node
  bool has_nvlink_switch() const;
};

// The members of a group on one machine.
struct Host {
  HostGraph shape;
  std::vector<NodeId> gpus;  // by GPU of the shape, in the order of the network
  std::vector<NodeId> nics;  // by port
};

// Returns the machines of the members, in the order of the first member of each. They show nothing of other
// NPUs, and no NIC where all members are on one machine.
std::vector<Host> hosts_of(const NetworkGraph& graph, const std::vector<NodeId>& members);

}  // namespace orrery::core
