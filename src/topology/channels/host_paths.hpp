// Finds the ways between the GPUs of a machine, and between these and its ports, as NCCL 2.27 does: breadth
// first, where a way only replaces another one if it is wider and no longer.
#pragma once

#include <optional>
#include <vector>

#include "topology/channels/host_graph.hpp"

namespace orrery::core {

// The type of a path is that of the worst part between its two nodes. Types go from near to far.
enum class PathType : std::uint8_t {
  loc,  // nothing
  nvl,  // NVLinks
  nvb,  // NVLinks by another GPU
  pix,  // at most one PCIe switch
  pxb,  // several PCIe switches
  pxn,  // an NVLink to a GPU near the NIC
  phb,  // a CPU
  sys,  // several CPUs
  dis   // there is no way
};

struct HostPath {
  PathType type = PathType::dis;
  Rate rate = 0;
  std::vector<std::uint32_t> links;
  std::optional<std::uint32_t> proxy;  // GPU that passes the data on to the NIC
};

class HostPaths {
 public:
  // Keeps a reference.
  explicit HostPaths(const HostGraph& host);

  const HostGraph& host() const { return host_; }
  // `from` and `to` are nodes: GPUs or ports.
  const HostPath& path(std::uint32_t from, std::uint32_t to) const { return paths_[from][to]; }
  // Return the ports that are nearest to a GPU, and the GPUs that are nearest to a port: those of the highest
  // rate, and among these of the nearest type. They are numbers of ports and GPUs.
  const std::vector<std::uint32_t>& near_ports(std::uint32_t gpu) const { return near_ports_[gpu]; }
  const std::vector<std::uint32_t>& near_gpus(std::uint32_t port) const { return near_gpus_[port]; }
  // Returns the port that a GPU uses on a channel; none where it reaches no port.
  std::optional<std::uint32_t> port_of(std::uint32_t gpu, std::uint32_t channel) const;
  // Returns the GPU whose port this is. None: it is no GPU's port.
  std::optional<std::uint32_t> gpu_of(std::uint32_t port) const;

 private:
  std::vector<HostPath> paths_from(std::uint32_t node) const;
  PathType type_of_hop(const HostPath& path, std::uint32_t node, const HostGraph::Link& link) const;
  std::vector<std::uint32_t> nearest(std::uint32_t from, std::uint32_t first, std::uint32_t count) const;
  // Implements NCCL's PXN, where a GPU sends by the NVLink to a GPU that is nearer to the port.
  void send_by_near_gpus();

  const HostGraph& host_;
  std::vector<std::vector<HostPath>> paths_;
  std::vector<std::vector<std::uint32_t>> near_ports_, near_gpus_;
};

}  // namespace orrery::core
