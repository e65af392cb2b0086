// Ways between the GPUs of a machine and between them and its ports, as NCCL 2.27 finds them: breadth first,
// where only a way that is wider and no longer replaces another one.
#pragma once

#include <optional>
#include <vector>

#include "topology/channels/host_graph.hpp"

namespace orrery {

// Two nodes are as far apart as the worst of what lies between them; the kinds go from near to far.
enum class PathType : std::uint8_t {
  loc,  // nothing
  nvl,  // NVLinks
  nvb,  // NVLinks by another GPU
  pix,  // one PCIe switch at most
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
  // The ports that are the nearest to a GPU, and the GPUs that are the nearest to a port: of the highest
  // rate, and of these the nearest type. They are numbers of ports and GPUs.
  const std::vector<std::uint32_t>& near_ports(std::uint32_t gpu) const { return near_ports_[gpu]; }
  const std::vector<std::uint32_t>& near_gpus(std::uint32_t port) const { return near_gpus_[port]; }
  // Returns the port that a GPU uses on a channel; none where it reaches no port.
  std::optional<std::uint32_t> port_of(std::uint32_t gpu, std::uint32_t channel) const;
  // Returns the GPU whose port this is; none where it is nobody's.
  std::optional<std::uint32_t> gpu_of(std::uint32_t port) const;

 private:
  std::vector<HostPath> paths_from(std::uint32_t node) const;
  PathType type_of_hop(const HostPath& path, std::uint32_t node, const HostGraph::Link& link) const;
  std::vector<std::uint32_t> nearest(std::uint32_t from, std::uint32_t first, std::uint32_t count) const;
  // NCCL's PXN: a GPU sends by the NVLink to one that is nearer to the port.
  void send_by_near_gpus();

  const HostGraph& host_;
  std::vector<std::vector<HostPath>> paths_;
  std::vector<std::vector<std::uint32_t>> near_ports_, near_gpus_;
};

}  // namespace orrery
