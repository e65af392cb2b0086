#include "topology/channels/host_paths.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace orrery::core {
namespace {

constexpr std::uint32_t max_channels = 32;

std::uint32_t reversed_bits(std::uint32_t value, int bits) {
  std::uint32_t reversed = 0;
  for (int bit = 0; bit < bits; ++bit) reversed |= (value >> bit & 1) << (bits - 1 - bit);
  return reversed;
}

}  // namespace

HostPaths::HostPaths(const HostGraph& host) : host_(host) {
  for (std::uint32_t node = 0; node < host.gpus + host.ports; ++node) paths_.push_back(paths_from(node));
  for (std::uint32_t gpu = 0; gpu < host.gpus; ++gpu)
    near_ports_.push_back(nearest(gpu, host.gpus, host.ports));
  for (std::uint32_t port = 0; port < host.ports; ++port)
    near_gpus_.push_back(nearest(host.port(port), 0, host.gpus));
  send_by_near_gpus();
}

PathType HostPaths::type_of_hop(const HostPath& path, std::uint32_t node, const HostGraph::Link& link) const {
  const HostNodeKind from = host_.nodes[node].kind, to = host_.nodes[link.to].kind;
  if (from == HostNodeKind::port || to == HostNodeKind::port) return PathType::loc;
  const bool from_cpu = from == HostNodeKind::cpu, to_cpu = to == HostNodeKind::cpu;
  if (from_cpu && to_cpu) return PathType::sys;
  if (from_cpu || to_cpu) return PathType::phb;
  if (link.nvlink)
    return from == HostNodeKind::gpu && path.type == PathType::nvl ? PathType::nvb : PathType::nvl;
  return from == HostNodeKind::pcie_switch && to == HostNodeKind::pcie_switch ? PathType::pxb : PathType::pix;
}

std::vector<HostPath> HostPaths::paths_from(std::uint32_t start) const {
  std::vector<HostPath> paths(host_.nodes.size());
  paths[start] = {PathType::loc, std::numeric_limits<Rate>::max(), {}, {}};
  std::vector<std::uint32_t> here{start}, next;
  while (!here.empty()) {
    next.clear();
    for (const std::uint32_t node : here) {
      const HostNodeKind kind = host_.nodes[node].kind;
      if (node != start && kind == HostNodeKind::port) continue;
      for (const std::uint32_t id : host_.nodes[node].links) {
        const HostGraph::Link& link = host_.links[id];
        const HostPath& path = paths[node];
        // A GPU passes data on to its own port, and by NVLink from one neighbour to another.
        if (node != start && kind == HostNodeKind::gpu &&
            (!link.nvlink || host_.nodes[link.to].kind != HostNodeKind::gpu || path.links.size() > 1))
          continue;
        HostPath& there = paths[link.to];
        const Rate rate = std::min(path.rate, link.rate);
        if (there.rate >= rate || (there.rate > 0 && there.links.size() <= path.links.size())) continue;
        const PathType type = std::max(path.type, type_of_hop(path, node, link));
        std::vector<std::uint32_t> links = path.links;
        links.push_back(id);
        there = {type, rate, std::move(links), {}};
        if (std::ranges::find(next, link.to) == next.end()) next.push_back(link.to);
      }
    }
    here.swap(next);
  }
  paths.resize(host_.gpus + host_.ports);
  return paths;
}

std::vector<std::uint32_t> HostPaths::nearest(std::uint32_t from, std::uint32_t first,
                                              std::uint32_t count) const {
  std::vector<std::uint32_t> found;
  const HostPath* best = nullptr;
  for (std::uint32_t i = 0; i < count; ++i) {
    const HostPath& path = paths_[from][first + i];
    if (path.type == PathType::dis) continue;
    const bool nearer =
        !best || path.rate > best->rate || (path.rate == best->rate && path.type < best->type);
    if (nearer) {
      best = &path;
      found.clear();
    }
    if (path.rate == best->rate && path.type == best->type) found.push_back(i);
  }
  return found;
}

std::optional<std::uint32_t> HostPaths::port_of(std::uint32_t gpu, std::uint32_t channel) const {
  const std::vector<std::uint32_t>& ports = near_ports_[gpu];
  if (ports.empty()) return std::nullopt;
  const auto count = static_cast<std::uint32_t>(ports.size());
  const auto sharers = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(near_gpus_[ports[0]].size()));
  std::uint32_t index = host_.devices[gpu];
  if (std::has_single_bit(count)) index = reversed_bits(index, std::countr_zero(count));
  return ports[(index + channel % ((count + sharers - 1) / sharers)) % count];
}

std::optional<std::uint32_t> HostPaths::gpu_of(std::uint32_t port) const {
  for (std::uint32_t channel = 0; channel < max_channels; ++channel)
    for (std::uint32_t gpu = 0; gpu < host_.gpus; ++gpu)
      if (port_of(gpu, channel) == port) return gpu;
  return std::nullopt;
}

void HostPaths::send_by_near_gpus() {
  for (std::uint32_t i = 0; i < host_.ports; ++i) {
    const auto proxy = gpu_of(i);
    const std::uint32_t port = host_.port(i);
    if (!proxy || paths_[*proxy][port].type > PathType::pxb) continue;
    const HostPath near = paths_[*proxy][port];
    for (std::uint32_t gpu = 0; gpu < host_.gpus; ++gpu) {
      const HostPath &own = paths_[gpu][port], &between = paths_[gpu][*proxy];
      if (gpu == *proxy || between.type != PathType::nvl) continue;
      if (near.rate <= own.rate && own.type <= PathType::pxn) continue;
      HostPath path{PathType::pxn, std::min(near.rate, between.rate), between.links, proxy};
      path.links.insert(path.links.end(), near.links.begin(), near.links.end());
      paths_[gpu][port] = std::move(path);
    }
  }
}

}  // namespace orrery::core
