#include "topology/channels/host_graph.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace orrery::core {
namespace {

constexpr std::uint32_t absent = 0xffffffff;

bool is_fabric(const NetworkGraph& graph, const NetworkLink& link) {
  const NodeKind a = graph.node(link.from).kind, b = graph.node(link.to).kind;
  const auto is_outside = [](NodeKind kind) {
    return kind == NodeKind::nic || kind == NodeKind::network_switch;
  };
  if (a == NodeKind::nic || b == NodeKind::nic) return is_outside(a) && is_outside(b);
  return !link.striped && (a == NodeKind::network_switch || b == NodeKind::network_switch);
}

double fabric_rate(const NetworkGraph& graph, NodeId node) {
  double sum = 0;
  for (const LinkId id : graph.links_from(node))
    if (is_fabric(graph, graph.link(id))) sum += graph.link(id).bandwidth.bytes_per_ns();
  return sum;
}

// Returns the nodes on the same machine as `first`, in the order of their numbers.
std::vector<NodeId> machine_of(const NetworkGraph& graph, NodeId first, std::vector<std::uint32_t>& machines,
                               std::uint32_t number) {
  std::vector<NodeId> nodes{first};
  machines[first.index()] = number;
  const auto reach = [&](const NetworkLink& link, NodeId node) {
    if (is_fabric(graph, link) || machines[node.index()] != absent) return;
    machines[node.index()] = number;
    nodes.push_back(node);
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeId node = nodes[i];
    for (const LinkId id : graph.links_from(node)) reach(graph.link(id), graph.link(id).to);
    for (const LinkId id : graph.links_to(node)) reach(graph.link(id), graph.link(id).from);
  }
  std::ranges::sort(nodes);
  return nodes;
}

bool is_nvlink(const NetworkGraph& graph, const NetworkLink& link) {
  const auto may_be = [&](NodeId node) {
    return graph.node(node).kind == NodeKind::npu || graph.node(node).kind == NodeKind::network_switch;
  };
  return may_be(link.from) && may_be(link.to);
}

struct Generation {
  double min_nvlink;  // GB/s of a GPU
  GpuGeneration name;
  double counted;  // of 25 GB/s
};
constexpr Generation generations[] = {{660, GpuGeneration::blackwell, 20.05},
                                      {330, GpuGeneration::hopper, 20.6},
                                      {200, GpuGeneration::ampere, 20},
                                      {1, GpuGeneration::before_ampere, 20},
                                      {0, GpuGeneration::ampere, 20}};  // GPUs without NVLinks

class HostReader {
 public:
  HostReader(const NetworkGraph& graph, const std::vector<NodeId>& nodes, bool with_nics)
      : graph_(graph), nodes_(nodes), with_nics_(with_nics) {}

  Host read(std::vector<NodeId> gpus) {
    host_.gpus = std::move(gpus);
    std::ranges::sort(host_.gpus);
    const double sum = nvlink_of_a_gpu();
    generation_ = std::ranges::find_if(generations, [&](const Generation& g) { return sum >= g.min_nvlink; });
    host_.shape.generation = generation_->name;
    add_gpus();
    add_ports();
    for (const NodeId node : nodes_) add_inner(node);
    add_links();
    return std::move(host_);
  }

 private:
  double nvlink_of_a_gpu() const {
    double sum = 0;
    for (const LinkId id : graph_.links_from(host_.gpus[0]))
      if (!is_fabric(graph_, graph_.link(id)) && is_nvlink(graph_, graph_.link(id)))
        sum += graph_.link(id).bandwidth.bytes_per_ns();
    return sum;
  }

  std::uint32_t add(HostNodeKind kind) {
    host_.shape.nodes.push_back({kind, {}});
    return static_cast<std::uint32_t>(host_.shape.nodes.size() - 1);
  }

  void add_gpus() {
    std::uint32_t device = 0;
    for (const NodeId node : nodes_) {
      if (graph_.node(node).kind != NodeKind::npu) continue;
      if (std::ranges::binary_search(host_.gpus, node)) {
        host_.shape.devices.push_back(device);
        number_[node] = add(HostNodeKind::gpu);
      }
      ++device;
    }
    host_.shape.gpus = static_cast<std::uint32_t>(host_.gpus.size());
  }

  void add_ports() {
    if (!with_nics_) return;
    for (const NodeId node : nodes_)
      if (fabric_rate(graph_, node) > 0 &&
          (graph_.node(node).kind == NodeKind::nic || number_.contains(node)))
        host_.nics.push_back(node);
    host_.shape.ports = static_cast<std::uint32_t>(host_.nics.size());
    for (std::size_t i = 0; i < host_.nics.size(); ++i) add(HostNodeKind::port);
    for (std::uint32_t i = 0; i < host_.shape.ports; ++i) {
      const NodeId nic = host_.nics[i];
      if (!number_.contains(nic)) number_[nic] = add(HostNodeKind::nic);
      join(number_[nic], host_.shape.port(i), rate_of_gb_per_s(fabric_rate(graph_, nic)), false);
    }
  }

  void add_inner(NodeId node) {
    const NodeKind kind = graph_.node(node).kind;
    if (kind == NodeKind::pcie_switch) number_[node] = add(HostNodeKind::pcie_switch);
    if (kind == NodeKind::cpu) number_[node] = add(HostNodeKind::cpu);
    if (kind != NodeKind::network_switch) return;
    if (nvlink_switch_ == absent) nvlink_switch_ = add(HostNodeKind::nvlink_switch);
    number_[node] = nvlink_switch_;
  }

  Rate counted(const NetworkLink& link) const {
    const double rate = link.bandwidth.bytes_per_ns();
    constexpr double nominal = 25, min_pcie = 3;
    if (is_nvlink(graph_, link))
      return rate_of_gb_per_s(std::min(rate, std::ceil(rate / nominal) * generation_->counted));
    if (rate < min_pcie) return rate_of_gb_per_s(rate);
    return rate_of_gb_per_s(min_pcie * std::exp2(std::floor(std::log2(rate / min_pcie))));
  }

  // All links between the same two nodes become one.
  void add_links() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<Rate, bool>> sums;
    for (const NodeId node : nodes_) {
      for (const LinkId id : graph_.links_from(node)) {
        const NetworkLink& link = graph_.link(id);
        const auto from = number_.find(link.from), to = number_.find(link.to);
        if (is_fabric(graph_, link) || from == number_.end() || to == number_.end()) continue;
        if (from->second == to->second) continue;
        auto& [rate, nvlink] = sums[{from->second, to->second}];
        rate += counted(link);
        nvlink = is_nvlink(graph_, link);
      }
    }
    for (const auto& [ends, sum] : sums) {
      const auto back = sums.find({ends.second, ends.first});
      const Rate rate = back == sums.end() ? 0 : std::min(sum.first, back->second.first);
      if (ends.first < ends.second && rate > 0) join(ends.first, ends.second, rate, sum.second);
    }
  }

  void join(std::uint32_t a, std::uint32_t b, Rate rate, bool nvlink) {
    const auto there = static_cast<std::uint32_t>(host_.shape.links.size());
    host_.shape.links.push_back({b, rate, nvlink, there + 1});
    host_.shape.links.push_back({a, rate, nvlink, there});
    host_.shape.nodes[a].links.push_back(there);
    host_.shape.nodes[b].links.push_back(there + 1);
  }

  const NetworkGraph& graph_;
  const std::vector<NodeId>& nodes_;
  bool with_nics_;
  Host host_;
  const Generation* generation_ = nullptr;
  std::map<NodeId, std::uint32_t> number_;  // in the shape
  std::uint32_t nvlink_switch_ = absent;
};

}  // namespace

bool HostGraph::has_nvlink_switch() const {
  return std::ranges::find(nodes, HostNodeKind::nvlink_switch, &Node::kind) != nodes.end();
}

std::vector<Host> hosts_of(const NetworkGraph& graph, const std::vector<NodeId>& members) {
  std::vector<std::uint32_t> machines(graph.nodes(), absent);
  std::vector<std::vector<NodeId>> nodes, gpus;
  for (const NodeId member : members) {
    if (machines[member.index()] == absent) {
      nodes.push_back(machine_of(graph, member, machines, static_cast<std::uint32_t>(nodes.size())));
      gpus.emplace_back();
    }
    gpus[machines[member.index()]].push_back(member);
  }
  std::vector<Host> hosts;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    hosts.push_back(HostReader(graph, nodes[i], nodes.size() > 1).read(std::move(gpus[i])));
  return hosts;
}

}  // namespace orrery::core
