// Remembers at which rates flows have sent that share links in the same manner.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "network/packet/settings/packet_settings.hpp"
#include "network/packet/steady/contention_colours.hpp"
#include "network/packet/steady/packet_trial.hpp"

namespace orrery::core {

// Flows that share links, directly or through others, and share none with any other flow.
struct ContentionPattern {
  std::vector<ColouredFlow> flows;  // by the numbers of their routes
  std::vector<double> fair_rates;   // rates that each would have at fair shares, in bytes per ns
  double lasts_ns = 0;              // time until the first of them ends, about
};

class ContentionCache {
 public:
  // Keeps references.
  ContentionCache(const Topology& topology, const PacketSettings& settings);

  // Returns the rates of the flows, in bytes per ns. They are the fair ones until a situation has lasted so
  // long, over all its occurrences, that it is worth trying it by packets.
  std::vector<double> rates(const ContentionPattern& pattern);

  std::size_t trials() const { return trials_; }

 private:
  struct Known {
    double lasted_ns = 0;
    RateSamples samples;  // rates of each kind of flows, in the order of their colours
  };
  // A pattern that the cache knows, as seen by the flows that look it up.
  struct Recognised {
    Known* known;
    std::vector<std::size_t> kinds;  // of flows
  };

  const Recognised& recognise(const ContentionPattern& pattern);
  Recognised look_at(const ContentionPattern& pattern);
  std::uint64_t kind_of(LinkId link) const;
  void try_out(const ContentionPattern& pattern, const Recognised& recognised);

  const Topology& topology_;
  const PacketSettings& settings_;
  std::unordered_map<std::uint64_t, Known> known_;            // by a hash of the colours
  std::unordered_map<std::uint64_t, Recognised> recognised_;  // by a hash of the routes
  std::size_t recognised_flows_ = 0;
  std::size_t trials_ = 0;
};

}  // namespace orrery::core
