#include "network/packet/steady/contention_cache.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.hpp"

namespace orrery::core {

ContentionCache::ContentionCache(const Topology& topology, const PacketSettings& settings)
    : topology_(topology), settings_(settings) {}

std::uint64_t ContentionCache::kind_of(LinkId id) const {
  const NetworkGraph& graph = *topology_.graph;
  const NetworkLink& link = graph.link(id);
  std::uint64_t kind = graph.is_npu(link.from) ? 1 : 2;
  for (const std::uint64_t part :
       {std::bit_cast<std::uint64_t>(link.bandwidth.bytes_per_ns()),
        static_cast<std::uint64_t>(link.latency.ps()), std::bit_cast<std::uint64_t>(link.loss)})
    kind = Random(kind ^ part).next();
  return kind;
}

std::vector<double> ContentionCache::rates(const ContentionPattern& pattern) {
  const Recognised& recognised = recognise(pattern);
  Known& known = *recognised.known;
  known.lasted_ns += pattern.lasts_ns;
  try_out(pattern, recognised);
  if (known.samples.length() == 0) return pattern.fair_rates;
  std::vector<double> rates(pattern.flows.size());
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rates[i] = known.samples.average(recognised.kinds[i], std::max(pattern.lasts_ns, 1.0));
    // A trial counts whole packets. Where they cannot tell the rate from the fair share, it is that one.
    const double a_packet = settings_.sizes.payload / known.samples.length();
    if (rates[i] <= 0 || std::abs(rates[i] - pattern.fair_rates[i]) < a_packet)
      rates[i] = pattern.fair_rates[i];
  }
  return rates;
}

const ContentionCache::Recognised& ContentionCache::recognise(const ContentionPattern& pattern) {
  std::uint64_t hash = pattern.flows.size();
  for (const ColouredFlow& flow : pattern.flows)
    hash = Random(hash ^ (std::uint64_t{flow.route->number} << 32 | flow.flows)).next();
  const auto known = recognised_.find(hash);
  if (known != recognised_.end()) return known->second;
  constexpr std::size_t max_flows = 4'000'000;  // that are remembered, some tens of MB
  if (recognised_flows_ > max_flows) {
    recognised_.clear();
    recognised_flows_ = 0;
  }
  recognised_flows_ += pattern.flows.size();
  return recognised_.emplace(hash, look_at(pattern)).first->second;
}

ContentionCache::Recognised ContentionCache::look_at(const ContentionPattern& pattern) {
  const std::vector<std::uint64_t> colours =
      contention_colours(pattern.flows, [this](LinkId link) { return kind_of(link); });
  std::vector<std::uint64_t> in_order = colours;
  std::ranges::sort(in_order);
  std::uint64_t hash = 0;
  for (const std::uint64_t colour : in_order) hash = Random(hash ^ colour).next();
  in_order.erase(std::unique(in_order.begin(), in_order.end()), in_order.end());
  Recognised recognised{&known_[hash], {}};
  for (const std::uint64_t colour : colours)
    recognised.kinds.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(in_order, colour) - in_order.begin()));
  return recognised;
}

// A trial is worth its time when flows have been in the situation for longer than it takes, and once more
// when they stay in it for much longer than it took without settling.
void ContentionCache::try_out(const ContentionPattern& pattern, const Recognised& recognised) {
  Known& known = *recognised.known;
  constexpr double much_longer = 2;
  if (known.samples.is_settled() || known.lasted_ns < much_longer * known.samples.length()) return;
  std::vector<TrialFlow> flows;
  for (std::size_t i = 0; i < pattern.flows.size(); ++i)
    flows.insert(flows.end(), pattern.flows[i].flows, {pattern.flows[i].route, recognised.kinds[i]});
  const double min_rate = std::ranges::min(pattern.fair_rates);
  if (known.lasted_ns < shortest_trial(settings_, flows, min_rate)) return;
  known.samples = try_flows(topology_, settings_, flows, min_rate, known.lasted_ns);
  ++trials_;
}

}  // namespace orrery::core
