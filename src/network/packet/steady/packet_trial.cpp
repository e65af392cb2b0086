#include "network/packet/steady/packet_trial.hpp"

#include <algorithm>
#include <cmath>

#include "network/packet/engine/packet_network.hpp"
#include "network/packet/steady/trial_network.hpp"

namespace orrery {
namespace {

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

}  // namespace orrery
