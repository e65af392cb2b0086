// Finds out by packets at which rates flows send that begin together and go on.
//
// The flows have a network of their own, from which all others are left out. They send until their rates
// hold, or for as long as was asked.
#pragma once

#include <span>
#include <vector>

#include "network/packet/steady/steady_route.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

struct TrialFlow {
  const SteadyRoute* route = nullptr;
  std::size_t kind = 0;  // flows of a kind are in the same position, and their rates are averaged
};

// The bytes that flows of each kind have sent on average, by the time since they began. The time for which
// the first byte is under way does not count.
class RateSamples {
 public:
  // A sample of all kinds is later than the one before it.
  void add(double ns, std::vector<double> bytes) { samples_.push_back({ns, std::move(bytes)}); }
  // Says that the rates between the last two samples hold from there on.
  void settle() { settled_ = true; }
  bool is_settled() const { return settled_; }
  double length() const { return samples_.empty() ? 0 : samples_.back().ns; }

  // Returns the average rate of a kind in bytes per ns from the start to `ns`. There must be a sample.
  double average(std::size_t kind, double ns) const;
  // Returns the rate between the last two samples.
  double last_rate(std::size_t kind) const;

 private:
  struct Sample {
    double ns;
    std::vector<double> bytes;
  };
  double bytes_until(std::size_t kind, double ns) const;

  std::vector<Sample> samples_;
  bool settled_ = false;
};

// Tries the flows for at most `max_ns`, with the settings' congestion control and everything else in them.
// `bytes_per_ns` is about the rate of the slowest flow. Throws StallError where a flow gives up.
RateSamples try_flows(const Topology& topology, const PacketSettings& settings,
                      std::span<const TrialFlow> flows, double bytes_per_ns, double max_ns);
// Returns for how long flows have to go on until a trial says something about them.
double shortest_trial(const PacketSettings& settings, std::span<const TrialFlow> flows, double bytes_per_ns);

}  // namespace orrery::core
