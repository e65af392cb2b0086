#include "network/packet/steady/packet_trial.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "network/packet/engine/packet_network.hpp"
#include "network/packet/steady/steady_route.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

namespace {

// The part of a network that some flows can feel: the nodes on their ways, with all ports of those that pass
// packets on, because ports share a buffer. A trial in it costs what its flows cost, however large the
// network is.
class TrialNetwork {
 public:
  TrialNetwork(const Topology& topology, const std::vector<const SteadyRoute*>& routes);

  const Topology& topology() const { return topology_; }
  // Returns the routes in their order, with the numbers that the part gives nodes and links.
  const std::vector<SteadyRoute>& routes() const { return routes_; }

 private:
  void add_nodes(const NetworkGraph& whole, const std::vector<const SteadyRoute*>& routes);
  void add_links(const NetworkGraph& whole);
  SteadyRoute translated(const SteadyRoute& route) const;

  NetworkGraph part_;
  std::map<NodeId, NodeId> nodes_;  // numbers in the part by those in the whole
  std::map<LinkId, LinkId> links_;
  Topology topology_;
  std::vector<SteadyRoute> routes_;
};

TrialNetwork::TrialNetwork(const Topology& topology, const std::vector<const SteadyRoute*>& routes) {
  const NetworkGraph& whole = *topology.graph;
  add_nodes(whole, routes);
  add_links(whole);
  for (const SteadyRoute* route : routes) routes_.push_back(translated(*route));
  topology_.routing = topology.routing;
  topology_.graph = std::make_shared<const NetworkGraph>(std::move(part_));
}

// Nodes keep their order, in which NPUs are the first.
void TrialNetwork::add_nodes(const NetworkGraph& whole, const std::vector<const SteadyRoute*>& routes) {
  std::set<NodeId> on_routes;
  for (const SteadyRoute* route : routes)
    for (const auto* links : {&route->links.data, &route->links.acks})
      for (const LinkId link : *links) {
        on_routes.insert(whole.link(link).from);
        on_routes.insert(whole.link(link).to);
      }
  std::set<NodeId> all = on_routes;
  for (const NodeId node : on_routes)
    if (whole.node(node).forwards)
      for (const LinkId link : whole.links_from(node)) all.insert(whole.link(link).to);
  for (const NodeId node : all) nodes_[node] = part_.add(whole.node(node));
}

void TrialNetwork::add_links(const NetworkGraph& whole) {
  for (const auto& [node, in_part] : nodes_)
    for (const LinkId link : whole.links_from(node)) {
      const NodeId to = whole.link(link).to;
      const LinkId back = whole.reverse(link);
      if (!nodes_.contains(to) || links_.contains(link)) continue;
      links_[link] = part_.join(in_part, nodes_.at(to), whole.link(link));
      links_[back] = part_.reverse(links_[link]);
    }
}

SteadyRoute TrialNetwork::translated(const SteadyRoute& route) const {
  SteadyRoute in_part = route;
  in_part.source = static_cast<int>(nodes_.at(NodeId(route.source)).value());
  in_part.destination = static_cast<int>(nodes_.at(NodeId(route.destination)).value());
  for (LinkId& link : in_part.links.data) link = links_.at(link);
  for (LinkId& link : in_part.links.acks) link = links_.at(link);
  return in_part;
}

// The routes of the trial's flows. The number of a flow's channel is its place.
class GivenRoutes final : public RouteSelector {
 public:
  explicit GivenRoutes(std::span<const SteadyRoute> routes) : routes_(routes) {}

  std::optional<PacketRoutes> choose(int, int, Channel channel, std::uint32_t) override {
    last_ = channel.number;
    return routes_[last_].links;
  }
  std::optional<PacketRoutes> choose_again(int, int, Channel channel, std::uint32_t) override {
    return routes_[channel.number].links;
  }
  void set_share(LinkId, double) override {}
  void links_changed() override {}
  PairFacts facts(int, int, const PacketRoutes&) override { return routes_[last_].facts; }
  Time lead(Channel, int, int, std::vector<NodeId>) override { return Time(); }

 private:
  std::span<const SteadyRoute> routes_;
  std::size_t last_ = 0;
};

std::vector<const SteadyRoute*> routes_of(std::span<const TrialFlow> flows) {
  std::vector<const SteadyRoute*> routes;
  for (const TrialFlow& flow : flows) routes.push_back(flow.route);
  return routes;
}

// The flows of a trial never end, so there is nothing to tell.
class NobodyListens final : public PacketListener {
  void delivered(std::uint32_t, Stamp) override {}
  void acknowledged(const AcknowledgedMessage&, Stamp) override {}
  void cut(const RestOfMessage&, Stamp) override {}
};

// Rates hold when two intervals in a row differ by less than this share, or by what packets are too coarse
// for, and a flow has sent so many packets in the later one.
constexpr double steady_share = 0.005, enough_packets = 200;

class Trial {
 public:
  Trial(const Topology& topology, const PacketSettings& settings, std::span<const TrialFlow> flows)
      : payload_(settings.sizes.payload),
        flows_(flows),
        part_(topology, routes_of(flows)),
        network_(part_.topology(), settings, nobody_, std::make_unique<GivenRoutes>(part_.routes())) {
    constexpr std::uint64_t endless = std::uint64_t{1} << 50;
    for (std::uint32_t i = 0; i < flows.size(); ++i) {
      const SteadyRoute& route = part_.routes()[i];
      longest_latency_ = std::max(longest_latency_, route.latency);
      kinds_ = std::max(kinds_, flows[i].kind + 1);
      network_.send({route.source, route.destination, {i, true}, 0, endless, route.priority, i}, 0);
    }
    members_.resize(kinds_);
    for (const TrialFlow& flow : flows) ++members_[flow.kind];
  }

  RateSamples run(double first_ns, double max_ns) {
    RateSamples samples;
    for (double ns = first_ns;; ns *= 2) {
      samples.add(std::min(ns, max_ns), sample(std::min(ns, max_ns)));
      if (++samples_ > 2 && holds(samples)) {
        samples.settle();
        return samples;
      }
      if (ns >= max_ns) return samples;
      before_ = rates(samples);
    }
  }

 private:
  // Returns what the flows of each kind have received on average so long after their first bytes came.
  std::vector<double> sample(double ns) {
    network_.run(static_cast<Stamp>(std::llround(ns * 1000)) + longest_latency_);
    std::vector<double> bytes(kinds_);
    for (std::uint32_t i = 0; i < flows_.size(); ++i)
      bytes[flows_[i].kind] += static_cast<double>(network_.arrived(i)) / members_[flows_[i].kind];
    return bytes;
  }
  std::vector<double> rates(const RateSamples& samples) const {
    std::vector<double> rates(kinds_);
    if (samples_ < 2) return rates;
    for (std::size_t kind = 0; kind < kinds_; ++kind) rates[kind] = samples.last_rate(kind);
    return rates;
  }
  bool holds(const RateSamples& samples) const {
    const std::vector<double> now = rates(samples);
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      const double packet_rate = payload_ / (samples.length() / 2) / std::sqrt(members_[kind]);
      if (now[kind] * samples.length() / 2 < enough_packets * payload_) return false;
      if (std::abs(now[kind] - before_[kind]) > std::max(steady_share * now[kind], packet_rate)) return false;
    }
    return true;
  }

  double payload_;
  std::span<const TrialFlow> flows_;
  NobodyListens nobody_;
  TrialNetwork part_;
  PacketNetwork network_;
  Stamp longest_latency_ = 0;
  std::size_t kinds_ = 0;
  std::vector<double> members_;  // by kind
  std::vector<double> before_;   // rates of the interval before the last one, by kind
  int samples_ = 0;
};

}  // namespace

double RateSamples::bytes_until(std::size_t kind, double ns) const {
  Sample before{0, std::vector<double>(kind + 1)};
  for (const Sample& sample : samples_) {
    if (ns <= sample.ns)
      return before.bytes[kind] +
             (sample.bytes[kind] - before.bytes[kind]) * (ns - before.ns) / (sample.ns - before.ns);
    before = sample;
  }
  return before.bytes[kind] + last_rate(kind) * (ns - before.ns);
}

double RateSamples::average(std::size_t kind, double ns) const {
  return bytes_until(kind, ns) / ns;
}

double RateSamples::last_rate(std::size_t kind) const {
  const Sample& last = samples_.back();
  if (samples_.size() == 1) return last.bytes[kind] / last.ns;
  const Sample& before = samples_[samples_.size() - 2];
  return (last.bytes[kind] - before.bytes[kind]) / (last.ns - before.ns);
}

double shortest_trial(const PacketSettings& settings, std::span<const TrialFlow> flows, double bytes_per_ns) {
  constexpr double round_trips = 8, packets = 32;
  Stamp rtt = 0;
  for (const TrialFlow& flow : flows) rtt = std::max(rtt, flow.route->facts.rtt);
  return std::max(round_trips * static_cast<double>(rtt) / 1000,
                  packets * settings.sizes.payload / bytes_per_ns);
}

RateSamples try_flows(const Topology& topology, const PacketSettings& settings,
                      std::span<const TrialFlow> flows, double bytes_per_ns, double max_ns) {
  const double first = shortest_trial(settings, flows, bytes_per_ns) / 4;
  return Trial(topology, settings, flows).run(first, std::max(first, max_ns));
}

}  // namespace orrery::core
