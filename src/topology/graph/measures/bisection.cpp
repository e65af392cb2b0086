#include "topology/graph/measures/bisection.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace orrery::core {
namespace {

double bytes_per_s(const NetworkLink& link) {
  return link.bandwidth.bytes_per_ns() * 1e9;
}
Bandwidth bandwidth_of_bytes_per_s(double bytes) {
  return Bandwidth::from_gb_per_s(bytes / 1e9);
}

using Flow = std::int64_t;  // in a unit of bytes per second

// Returns the unit in which all links together carry what a Flow can be, whatever their bandwidth: a power of
// two, so that the capacities of usual links are whole numbers of it.
double unit_of_flow(const NetworkGraph& graph) {
  constexpr int bits = 60;
  double sum = 0;
  for (const LinkId id : graph.all_links()) sum += bytes_per_s(graph.link(id));
  return std::exp2(std::ceil(std::log2(std::max(sum, 1e-100))) - bits);
}

// Dinic's algorithm: while there are routes from source to sink with room left, it fills all shortest ones.
class MaximumFlow {
 public:
  explicit MaximumFlow(std::size_t nodes) : arcs_of_(nodes), level_(nodes), next_(nodes) {}

  void add_arc(std::size_t from, std::size_t to, Flow room) {
    arcs_of_[from].push_back(arcs_.size());
    arcs_.push_back({to, room});
    arcs_of_[to].push_back(arcs_.size());
    arcs_.push_back({from, 0});
  }

  Flow between(std::size_t source, std::size_t sink) {
    Flow total = 0;
    while (find_levels(source, sink)) {
      std::ranges::fill(next_, 0);
      while (find_route(source, sink)) total += fill_route();
    }
    return total;
  }

 private:
  struct Arc {
    std::size_t to;
    Flow room;
  };

  bool find_levels(std::size_t source, std::size_t sink) {
    std::ranges::fill(level_, -1);
    level_[source] = 0;
    std::vector<std::size_t> queue{source};
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const std::size_t arc : arcs_of_[queue[i]]) {
        const auto [to, room] = arcs_[arc];
        if (room == 0 || level_[to] >= 0) continue;
        level_[to] = level_[queue[i]] + 1;
        queue.push_back(to);
      }
    return level_[sink] >= 0;
  }

  // Finds a shortest route with room, without arcs that were found to lead nowhere.
  bool find_route(std::size_t source, std::size_t sink) {
    route_.clear();
    for (std::size_t at = source; at != sink;) {
      std::size_t& next = next_[at];
      const auto leads_on = [&](std::size_t arc) {
        return arcs_[arc].room > 0 && level_[arcs_[arc].to] == level_[at] + 1;
      };
      while (next < arcs_of_[at].size() && !leads_on(arcs_of_[at][next])) ++next;
      if (next < arcs_of_[at].size()) {
        route_.push_back(arcs_of_[at][next]);
        at = arcs_[route_.back()].to;
      } else if (route_.empty()) {
        return false;
      } else {
        at = arcs_[route_.back() ^ 1].to;
        route_.pop_back();
        ++next_[at];
      }
    }
    return true;
  }

  Flow fill_route() {
    Flow room = arcs_[route_.front()].room;
    for (const std::size_t arc : route_) room = std::min(room, arcs_[arc].room);
    for (const std::size_t arc : route_) {
      arcs_[arc].room -= room;
      arcs_[arc ^ 1].room += room;
    }
    return room;
  }

  std::vector<Arc> arcs_;  // the other direction of arc i is i ^ 1
  std::vector<std::vector<std::size_t>> arcs_of_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;  // the first arc of a node that may still lead on
  std::vector<std::size_t> route_;
};

constexpr std::size_t lower = 0, upper = 1, carries_nothing = static_cast<std::size_t>(-1);

// Returns the node of the flow for a node of the network. A node that forwards nothing and is no NPU carries
// nothing.
std::size_t flow_node(const NetworkGraph& graph, NodeId node) {
  if (graph.is_npu(node)) return node.index() < graph.npus() / 2 ? lower : upper;
  return graph.node(node).forwards ? node.index() - graph.npus() + 2 : carries_nothing;
}

bool counts(const std::vector<bool>& counted, LinkId link) {
  return counted.empty() || counted[link.index()];
}

bool is_symmetric(const NetworkGraph& graph) {
  for (const LinkId link : graph.all_links()) {
    const LinkId back = graph.reverse(link);
    if (back == LinkId::none || bytes_per_s(graph.link(back)) != bytes_per_s(graph.link(link))) return false;
  }
  return true;
}

}  // namespace

Bandwidth bisection_bandwidth(const NetworkGraph& graph, const std::vector<bool>& counted) {
  const double unit = unit_of_flow(graph);
  std::map<std::pair<std::size_t, std::size_t>, double> rooms;
  for (const LinkId id : graph.all_links()) {
    const NetworkLink& link = graph.link(id);
    const std::size_t from = flow_node(graph, link.from), to = flow_node(graph, link.to);
    if (counts(counted, id) && from != to && from != carries_nothing && to != carries_nothing)
      rooms[{from, to}] += bytes_per_s(link);
  }
  MaximumFlow there(graph.nodes() - graph.npus() + 2);
  for (const auto& [ends, room] : rooms) there.add_arc(ends.first, ends.second, std::llround(room / unit));
  const auto in_bytes = [&](Flow flow) { return bandwidth_of_bytes_per_s(static_cast<double>(flow) * unit); };
  if (is_symmetric(graph)) return in_bytes(there.between(lower, upper));
  MaximumFlow back = there;
  return in_bytes(std::min(there.between(lower, upper), back.between(upper, lower)));
}

Bandwidth injection_bandwidth(const NetworkGraph& graph) {
  double of_half[2] = {0, 0};
  for (const NodeId npu : graph.all_npus())
    for (const LinkId link : graph.links_from(npu))
      of_half[flow_node(graph, npu)] += bytes_per_s(graph.link(link));
  return bandwidth_of_bytes_per_s(std::min(of_half[lower], of_half[upper]));
}

Bandwidth bandwidth_into_network(const NetworkGraph& graph, const std::vector<bool>& counted) {
  const auto is_switch = [&](NodeId node) { return graph.node(node).kind == NodeKind::network_switch; };
  bool any_switch = false;
  for (LinkId id; id.index() < graph.links() && !any_switch; ++id)
    any_switch = counts(counted, id) && (is_switch(graph.link(id).from) || is_switch(graph.link(id).to));
  if (!any_switch) return injection_bandwidth(graph);
  const double unit = unit_of_flow(graph);
  const auto out_of = [&](std::size_t half) {
    MaximumFlow flow(graph.nodes() - graph.npus() + 2);
    for (const LinkId id : graph.all_links()) {
      const NetworkLink& link = graph.link(id);
      const std::size_t from = flow_node(graph, link.from);
      const std::size_t to = is_switch(link.to) ? 1 - half : flow_node(graph, link.to);
      const bool leads_on = from != to && from != carries_nothing && to != carries_nothing;
      if (counts(counted, id) && leads_on && !is_switch(link.from))
        flow.add_arc(from, to, std::llround(bytes_per_s(link) / unit));
    }
    return flow.between(half, 1 - half);
  };
  return bandwidth_of_bytes_per_s(static_cast<double>(std::min(out_of(lower), out_of(upper))) * unit);
}

}  // namespace orrery::core
