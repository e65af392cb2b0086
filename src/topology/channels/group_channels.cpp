#include "topology/channels/group_channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "topology/channels/node_tree.hpp"

namespace orrery::core {
namespace {

constexpr std::size_t max_searched = 32, max_executed = 64;

// Returns a machine's rings as trees, cut open at the port where they come in.
HostChannels tree_of_ring(const HostChannels& ring) {
  HostChannels trees = ring;
  trees.pattern = ChannelPattern::tree;
  for (HostChannel& channel : trees.channels) channel.exit = channel.entry;
  return trees;
}

HostChannels trees_of(const HostPaths& paths, const HostChannels& ring) {
  const ChannelCounts as_ring{ring.channels.size(), ring.channels.size()};
  HostChannels trees = find_channels(paths, ChannelPattern::balanced_tree, as_ring);
  return trees.channels.empty() ? tree_of_ring(ring) : trees;
}

// What NCCL takes where its search finds no ring: one channel in the order of the GPUs, of a rate that only
// counts when it chooses algorithms.
HostChannels simple_order(const HostGraph& host) {
  constexpr double gb_per_s = 0.1;
  HostChannels ring;
  ring.inside = ring.outside = PathType::sys;
  ring.rate_inside = ring.rate_outside = rate_of_gb_per_s(gb_per_s);
  HostChannel& channel = ring.channels.emplace_back();
  for (std::uint32_t gpu = 0; gpu < host.gpus; ++gpu) channel.order.push_back(gpu);
  return ring;
}

// NVLink switches reduce from Hopper on, for more than two GPUs. There is one head for each GPU that is
// nearest to a port.
std::vector<std::uint32_t> heads_of(const HostPaths& paths) {
  const HostGraph& host = paths.host();
  constexpr std::uint32_t fewest = 3;
  std::vector<std::uint32_t> heads;
  if (host.generation < GpuGeneration::hopper || host.gpus < fewest || !host.has_nvlink_switch())
    return heads;
  for (std::uint32_t i = 0; i < std::max(host.ports, host.gpus); ++i) {
    const auto gpu = host.ports > 0 ? (i < host.ports ? paths.gpu_of(i) : std::nullopt) : std::optional(i);
    if (gpu && std::ranges::find(heads, *gpu) == heads.end()) heads.push_back(*gpu);
  }
  return heads;
}

}  // namespace

GroupChannels::GroupChannels(const NetworkGraph& graph, const std::vector<NodeId>& members,
                             const SourceLocation& where)
    : hosts_(hosts_of(graph, members)) {
  plan_hosts(graph, where);
  count_channels();
}

void GroupChannels::find_channels_of(HostPlan& plan, const NetworkGraph& graph, const Host& host,
                                     const SourceLocation& where) const {
  if (hosts_.size() > 1 && plan.shape.ports == 0)
    throw InputError(where,
                     fmt::format("no ring leads through the machine of {}, as it has no NIC that leads to a "
                                 "switch: join one of its NPUs with such a NIC",
                                 graph.node(host.gpus[0]).name));
  plan.ring = find_channels(*plan.paths, ChannelPattern::ring, {1, max_searched});
  plan.has_no_ring = plan.ring.channels.empty();
  if (plan.has_no_ring) plan.ring = simple_order(plan.shape);
  plan.tree = plan.has_no_ring ? tree_of_ring(plan.ring) : trees_of(*plan.paths, plan.ring);
  if (!plan.has_no_ring) plan.heads = heads_of(*plan.paths);
}

void GroupChannels::plan_hosts(const NetworkGraph& graph, const SourceLocation& where) {
  for (const Host& host : hosts_) {
    auto known = std::ranges::find_if(plans_, [&](const auto& plan) { return plan->shape == host.shape; });
    if (known == plans_.end()) {
      auto plan = std::make_unique<HostPlan>();
      plan->shape = host.shape;
      plan->paths = std::make_unique<HostPaths>(plan->shape);
      find_channels_of(*plan, graph, host, where);
      known = plans_.insert(plans_.end(), std::move(plan));
    }
    plan_of_host_.push_back(static_cast<std::size_t>(known - plans_.begin()));
  }
}

void GroupChannels::count_channels() {
  constexpr Rate fast = 45'000;
  constexpr std::size_t of_fast = 16, of_blackwell_alone = 24, of_blackwell = 32;
  searched_ = max_searched;
  Rate rate = plans_[0]->ring.rate_inside;
  auto generation = GpuGeneration::blackwell;
  bool has_heads = true;
  for (const auto& plan : plans_) {
    searched_ = std::min({searched_, plan->ring.channels.size(), plan->tree.channels.size()});
    rate = std::min(rate, plan->ring.rate_inside);
    generation = std::min(generation, plan->shape.generation);
    has_heads &= !plan->heads.empty();
  }
  executed_ = 2 * searched_;
  const bool alone = hosts_.size() == 1;
  if (generation >= GpuGeneration::hopper && !alone && rate > fast && executed_ < of_fast) executed_ *= 2;
  std::size_t of_switch = alone ? of_blackwell_alone : of_blackwell;
  if (generation < GpuGeneration::blackwell) of_switch = of_fast;
  if (has_heads) executed_ = std::max(executed_, of_switch);
  executed_ = std::min(executed_, max_executed);
}

bool GroupChannels::swaps(std::size_t host) const {
  const bool crosses =
      std::ranges::any_of(plans_, [](const auto& plan) { return plan->ring.cross_nic == 2; });
  return host % 2 == 1 && crosses && searched_ % 2 == 0;
}

const HostChannel& GroupChannels::ring_on(std::size_t host, std::size_t channel) const {
  const std::size_t searched = channel % searched_;
  return plan(host).ring.channels[swaps(host) ? searched ^ 1 : searched];
}

ChannelHop GroupChannels::between(std::size_t from_host, std::uint32_t from_gpu, std::uint32_t exit,
                                  std::size_t to_host, std::uint32_t to_gpu, std::uint32_t entry) const {
  const Host &from = hosts_[from_host], &to = hosts_[to_host];
  ChannelHop hop{from.gpus[from_gpu], to.gpus[to_gpu], {}, true};
  const auto pass = [&](NodeId node) {  // NPUs may be their own NICs
    if (node != hop.to && node != (hop.through.empty() ? hop.from : hop.through.back()))
      hop.through.push_back(node);
  };
  const HostPlan& plan_of = plan(from_host);
  if (const auto proxy = plan_of.paths->path(from_gpu, plan_of.shape.port(exit)).proxy)
    pass(from.gpus[*proxy]);
  pass(from.nics[exit]);
  pass(to.nics[entry]);
  return hop;
}

std::vector<ChannelHop> GroupChannels::ring(std::size_t channel) const {
  std::vector<ChannelHop> hops;
  for (std::size_t host = 0; host < hosts_.size(); ++host) {
    const HostChannel& here = ring_on(host, channel);
    for (std::size_t i = 0; i + 1 < here.order.size(); ++i)
      hops.push_back({hosts_[host].gpus[here.order[i]], hosts_[host].gpus[here.order[i + 1]], {}});
    const std::size_t next = (host + 1) % hosts_.size();
    const HostChannel& there = ring_on(next, channel);
    if (next != host)
      hops.push_back(between(host, here.order.back(), here.exit, next, there.order[0], there.entry));
    else if (here.order.size() > 1)
      hops.push_back({hosts_[host].gpus[here.order.back()], hosts_[host].gpus[here.order[0]], {}});
  }
  return hops;
}

// The first GPU of a chain sends up. In a balanced tree the second one receives from the first child.
ChannelHop GroupChannels::to_parent(std::size_t host, std::size_t parent, bool first_child,
                                    std::size_t channel) const {
  const HostChannel& here = plan(host).tree.channels[channel % searched_];
  const HostChannel& there = plan(parent).tree.channels[channel % searched_];
  const bool second_gpu =
      first_child && plan(parent).tree.pattern == ChannelPattern::balanced_tree && there.order.size() > 1;
  return between(host, here.order[0], here.exit, parent, there.order[second_gpu ? 1 : 0], there.entry);
}

std::vector<ChannelHop> GroupChannels::tree(std::size_t channel) const {
  const bool second = channel % (2 * searched_) >= searched_;
  const auto count = static_cast<std::uint32_t>(hosts_.size());
  std::vector<ChannelHop> edges;
  for (std::uint32_t host = 0; host < count; ++host) {
    const HostChannel& chain = plan(host).tree.channels[channel % searched_];
    for (std::size_t i = 1; i < chain.order.size(); ++i)
      edges.push_back({hosts_[host].gpus[chain.order[i]], hosts_[host].gpus[chain.order[i - 1]], {}});
    const auto parent = place_in_tree(host, count, second).parent;
    if (!parent) continue;
    const bool first_child = place_in_tree(*parent, count, second).children[0] == host;
    edges.push_back(to_parent(host, *parent, first_child, channel));
  }
  return edges;
}

std::optional<ChannelHop> GroupChannels::by_rail(std::size_t from_host, std::uint32_t from,
                                                 std::size_t to_host, std::uint32_t to) const {
  const HostPaths &here = *plan(from_host).paths, &there = *plan(to_host).paths;
  const auto entry = there.port_of(to, 0);
  auto exit = here.port_of(std::min(to, here.host().gpus - 1), 0);
  if (!exit || here.path(from, here.host().port(*exit)).type > PathType::pxn) exit = here.port_of(from, 0);
  if (!entry || !exit) return std::nullopt;
  return between(from_host, from, *exit, to_host, to, *entry);
}

std::vector<ChannelHop> GroupChannels::pairs() const {
  std::vector<ChannelHop> hops;
  for (std::size_t a = 0; a < hosts_.size(); ++a)
    for (std::uint32_t from = 0; from < hosts_[a].gpus.size(); ++from)
      for (std::size_t b = 0; b < hosts_.size(); ++b)
        for (std::uint32_t to = 0; to < hosts_[b].gpus.size(); ++to) {
          const NodeId source = hosts_[a].gpus[from], destination = hosts_[b].gpus[to];
          if (source == destination) continue;
          const auto rail = a == b ? std::nullopt : by_rail(a, from, b, to);
          hops.push_back(rail ? *rail : ChannelHop{source, destination, {}, a != b});
        }
  return hops;
}

void warn_of_missing_rings(const NetworkGraph& graph, const SourceLocation& where, Warnings& warnings) {
  std::vector<NodeId> npus(graph.npus());
  std::iota(npus.begin(), npus.end(), NodeId(0));
  std::vector<HostGraph> known;
  for (const Host& machine : hosts_of(graph, npus)) {
    if (machine.gpus.size() == 1 || std::ranges::find(known, machine.shape) != known.end()) continue;
    known.push_back(machine.shape);
    const Host host = std::move(hosts_of(graph, machine.gpus)[0]);
    const HostPaths paths(host.shape);
    if (!find_channels(paths, ChannelPattern::ring, {1, max_searched}).channels.empty()) continue;
    warnings.add(
        where, fmt::format("no ring at the rates that NCCL tries leads through the {} NPUs of the machine of "
                           "{}: NCCL falls back to one channel in the order of the NPUs, which is "
                           "executed twice",
                           host.gpus.size(), graph.node(host.gpus[0]).name));
  }
}

}  // namespace orrery::core
