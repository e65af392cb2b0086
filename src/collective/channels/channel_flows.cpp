#include "collective/channels/channel_flows.hpp"

#include <algorithm>

#include "topology/channels/node_tree.hpp"
#include "topology/channels/reduction.hpp"

namespace orrery::core {

const FlowPattern& ChannelFlows::of(LibraryAlgorithm algorithm) {
  const auto known = patterns_.find(algorithm);
  if (known != patterns_.end()) return known->second;
  const Channel first{0, true, owner_ | (static_cast<std::uint64_t>(algorithm) + 1)};
  const auto made = [&] {
    switch (algorithm) {
      case LibraryAlgorithm::ring:
        return ring(first);
      case LibraryAlgorithm::tree:
        return trees(channel_trees(), first);
      case LibraryAlgorithm::nvls:
        return trees(switches_and_heads(), first);
      case LibraryAlgorithm::sharp:
        return trees(switches_between(), first);
      default:  // pairwise; those of MPI send no flows on channels
        return pairs(first);
    }
  };
  return patterns_.emplace(algorithm, made()).first->second;
}

std::vector<LibraryAlgorithm> ChannelFlows::of_all_reduce() {
  std::vector<LibraryAlgorithm> algorithms{LibraryAlgorithm::ring};
  if (channels_.hosts().size() > 1) algorithms.push_back(LibraryAlgorithm::tree);
  for (const LibraryAlgorithm algorithm : {LibraryAlgorithm::nvls, LibraryAlgorithm::sharp})
    if (!of(algorithm).flows.empty()) algorithms.push_back(algorithm);
  return algorithms;
}

ChannelFlow ChannelFlows::flow(const ChannelHop& hop, double share, Channel channel) {
  return {hop.from, hop.to, share, channel,
          transport_.lead(channel, static_cast<int>(hop.from.value()), static_cast<int>(hop.to.value()),
                          hop.through)};
}

FlowPattern ChannelFlows::ring(Channel channel) {
  FlowPattern pattern;
  const double share = 1 / static_cast<double>(channels_.searched());
  for (; channel.number < channels_.searched(); ++channel.number) {
    Time latency;
    for (const ChannelHop& hop : channels_.ring(channel.number)) {
      pattern.flows.push_back(flow(hop, share, channel));
      latency += pattern.flows.back().latency;
    }
    pattern.latency = std::max(pattern.latency, latency);
  }
  return pattern;
}

FlowPattern ChannelFlows::pairs(Channel channel) {
  FlowPattern pattern;
  for (const ChannelHop& hop : channels_.pairs()) pattern.flows.push_back(flow(hop, 1, channel));
  return pattern;
}

// Each edge has a channel of its own, because several edges may join the same nodes by different routes.
FlowPattern ChannelFlows::trees(const Edges& edges, Channel channel) {
  FlowPattern pattern;
  const auto add = [&](const ChannelHop& hop, double share) {
    pattern.flows.push_back(flow(hop, share, channel));
    return pattern.flows.back().latency;
  };
  std::vector<Time> route;  // there and back
  for (const Edge& edge : edges) {
    ChannelHop down{edge.hop.to, edge.hop.from, edge.hop.through, edge.hop.between_machines};
    std::ranges::reverse(down.through);
    const Time back = add(down, edge.share);  // compilers differ in which term of a sum comes first
    route.push_back(back + add(edge.hop, edge.share));
    ++channel.number;
  }
  const auto until_root = [&](std::size_t edge) {
    Time sum;
    for (std::optional<std::size_t> next = edge; next; next = edges[*next].above) sum += route[*next];
    return sum;
  };
  for (std::size_t edge = 0; edge < edges.size(); ++edge)
    pattern.latency = std::max(pattern.latency, until_root(edge));
  return pattern;
}

// Returns the edges of both trees of each search channel. A member sends up by one edge, which is above the
// edges that lead to the member.
ChannelFlows::Edges ChannelFlows::channel_trees() const {
  Edges edges;
  const std::size_t trees = 2 * channels_.searched();
  for (std::size_t channel = 0; channel < trees; ++channel) {
    const std::size_t first = edges.size();
    std::map<NodeId, std::size_t> of_member;
    for (ChannelHop& hop : channels_.tree(channel)) {
      of_member[hop.from] = edges.size();
      edges.push_back({std::move(hop), 1 / static_cast<double>(trees), {}});
    }
    for (std::size_t edge = first; edge < edges.size(); ++edge)
      if (const auto above = of_member.find(edges[edge].hop.to); above != of_member.end())
        edges[edge].above = above->second;
  }
  return edges;
}

std::size_t ChannelFlows::heads() const {
  std::size_t heads = channels_.plan(0).heads.size();
  for (std::size_t host = 1; host < channels_.hosts().size(); ++host)
    heads = std::min(heads, channels_.plan(host).heads.size());
  return heads;
}

// All GPUs send to the switches, which send the sums to heads. Each head has one piece; if `above` says so,
// the piece goes on from there. Returns whether the machine can do that.
bool ChannelFlows::add_switches(std::size_t host, const std::vector<std::size_t>& above, Edges& edges) const {
  const Host& machine = channels_.hosts()[host];
  const std::vector<std::uint32_t>& heads_here = channels_.plan(host).heads;
  const std::vector<ReducingSwitch> switches = reducing_switches(graph_, machine);
  const std::size_t pieces = heads();
  for (const ReducingSwitch& one : switches) {
    const std::size_t first = edges.size();
    for (std::size_t head = 0; head < pieces; ++head) {
      edges.push_back(
          {{one.node, machine.gpus[heads_here[head]], {}}, one.share / static_cast<double>(pieces), {}});
      if (!above.empty()) edges.back().above = above[head];
    }
    for (const NodeId gpu : machine.gpus) edges.push_back({{gpu, one.node, {}}, one.share, first});
  }
  return pieces > 0 && !switches.empty();
}

// Between machines each head's piece goes half by one tree and half by the other.
ChannelFlows::Edges ChannelFlows::switches_and_heads() const {
  Edges edges;
  const auto hosts = static_cast<std::uint32_t>(channels_.hosts().size());
  const std::size_t pieces = heads();
  const double half = 0.5 / static_cast<double>(pieces);
  std::vector<std::vector<std::size_t>> to_parent(hosts);  // edge of a head, by machine, in the first tree
  for (const bool second : {false, true}) {
    const std::size_t first = edges.size();
    std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> of_head;  // by machine and head
    for (std::uint32_t host = 0; host < hosts; ++host)
      if (const auto parent = place_in_tree(host, hosts, second).parent)
        for (std::size_t head = 0; head < pieces; ++head) {
          of_head[{host, head}] = edges.size();
          edges.push_back({channels_.by_ports(host, channels_.plan(host).heads[head], *parent,
                                              channels_.plan(*parent).heads[head]),
                           half,
                           {}});
        }
    std::size_t edge = first;
    for (std::uint32_t host = 0; host < hosts; ++host)
      if (const auto parent = place_in_tree(host, hosts, second).parent)
        for (std::size_t head = 0; head < pieces; ++head, ++edge)
          if (const auto above = of_head.find({*parent, head}); above != of_head.end())
            edges[edge].above = above->second;
    for (const auto& [machine_and_head, own] : of_head)
      if (to_parent[machine_and_head.first].size() == machine_and_head.second)
        to_parent[machine_and_head.first].push_back(own);
  }
  for (std::uint32_t host = 0; host < hosts; ++host)
    if (!add_switches(host, to_parent[host], edges)) return {};
  return edges;
}

void ChannelFlows::add_chain(std::size_t host, std::size_t channel, std::size_t above, Edges& edges) const {
  const std::vector<std::uint32_t>& order = channels_.plan(host).tree.channels[channel].order;
  const std::vector<NodeId>& gpus = channels_.hosts()[host].gpus;
  for (std::size_t i = 1; i < order.size(); ++i) {
    edges.push_back(
        {{gpus[order[i]], gpus[order[i - 1]], {}}, 1 / static_cast<double>(channels_.searched()), above});
    above = edges.size() - 1;
  }
}

// Each machine gives its sum to the switches between machines in pieces: one for each of its heads, or for
// each chain of its channels.
ChannelFlows::Edges ChannelFlows::switches_between() const {
  const std::size_t hosts = channels_.hosts().size();
  bool by_heads = heads() > 0;
  for (std::size_t host = 0; host < hosts; ++host)
    by_heads = by_heads && !reducing_switches(graph_, channels_.hosts()[host]).empty();
  const std::size_t pieces = by_heads ? heads() : channels_.searched();
  const double share = 1 / static_cast<double>(pieces);
  Edges edges;
  std::vector<std::vector<std::size_t>> up(hosts);  // the edges into the fabric, by machine
  for (std::size_t piece = 0; piece < pieces && hosts > 1; ++piece) {
    std::vector<NodeId> ports, senders;
    for (std::size_t host = 0; host < hosts; ++host) {
      const Host& machine = channels_.hosts()[host];
      const GroupChannels::HostPlan& plan = channels_.plan(host);
      const std::uint32_t gpu = by_heads ? plan.heads[piece] : plan.tree.channels[piece].order[0];
      senders.push_back(machine.gpus[gpu]);
      ports.push_back(machine.nics[by_heads ? channels_.port_of(host, gpu) : plan.tree.channels[piece].exit]);
    }
    const std::vector<ReductionEdge> tree = reduction_tree(graph_, ports, piece);
    if (tree.empty()) return {};
    std::map<NodeId, std::size_t> of_node;
    for (const ReductionEdge& edge : tree) {
      const auto above = of_node.find(edge.above);
      of_node[edge.below] = edges.size();
      edges.push_back({{edge.below, edge.above, {}, true}, share, {}});
      if (above != of_node.end()) edges.back().above = above->second;
    }
    for (std::size_t host = 0; host < hosts; ++host) {
      std::size_t top = of_node.at(ports[host]);
      if (senders[host] != ports[host]) {
        edges.push_back({{senders[host], ports[host], {}}, share, top});
        top = edges.size() - 1;
      }
      up[host].push_back(top);
      if (!by_heads) add_chain(host, piece, top, edges);
    }
  }
  for (std::size_t host = 0; host < hosts && by_heads && !edges.empty(); ++host)
    add_switches(host, up[host], edges);
  return edges;
}

}  // namespace orrery::core
