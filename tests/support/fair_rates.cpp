#include "support/fair_rates.hpp"

#include <algorithm>
#include <limits>

namespace orrery::core {
namespace {

// Resources that differ by less fill up in the same round, so that rounding does not part equal flows.
constexpr double tolerance = 1e-12;

class Filling {
 public:
  Filling(std::span<const double> capacities, std::span<const FairFlow> flows)
      : flows_(flows),
        left_(capacities.begin(), capacities.end()),
        weight_(left_.size()),
        rates_(flows.size()) {
    for (std::uint32_t flow = 0; flow < flows_.size(); ++flow) {
      growing_.push_back(flow);
      for (const ResourceUse& use : flows_[flow].uses) weight_[use.resource] += use.weight;
    }
  }

  std::vector<double> rates() {
    while (!growing_.empty()) {
      const double level = next_level();
      full_ = at_most(level * (1 + tolerance));
      std::erase_if(growing_, [&](std::uint32_t flow) { return stops(flow, level); });
    }
    return rates_;
  }

 private:
  double level_of(std::size_t resource) const {
    return weight_[resource] > 0 ? std::max(left_[resource], 0.0) / weight_[resource]
                                 : std::numeric_limits<double>::infinity();
  }

  // All flows that still grow have the same rate. Returns the rate at which the next of them has to stop.
  double next_level() const {
    double level = std::numeric_limits<double>::infinity();
    for (std::size_t resource = 0; resource < left_.size(); ++resource)
      level = std::min(level, level_of(resource));
    for (const std::uint32_t flow : growing_) level = std::min(level, flows_[flow].most);
    return level;
  }

  std::vector<bool> at_most(double level) const {
    std::vector<bool> full(left_.size());
    for (std::size_t resource = 0; resource < left_.size(); ++resource)
      full[resource] = level_of(resource) <= level;
    return full;
  }

  bool stops(std::uint32_t number, double level) {
    const FairFlow& flow = flows_[number];
    const bool fastest = flow.most <= level * (1 + tolerance);
    const bool held = std::any_of(flow.uses.begin(), flow.uses.end(),
                                  [&](const ResourceUse& use) { return full_[use.resource]; });
    if (!fastest && !held) return false;
    rates_[number] = fastest ? flow.most : level;
    for (const ResourceUse& use : flow.uses) {
      left_[use.resource] -= use.weight * rates_[number];
      weight_[use.resource] -= use.weight;
    }
    return true;
  }

  std::span<const FairFlow> flows_;
  std::vector<double> left_;            // capacity that no flow has taken for good, by resource
  std::vector<double> weight_;          // weight of the flows that still grow, by resource
  std::vector<bool> full_;              // resources whose flows stop in this round
  std::vector<std::uint32_t> growing_;  // flows
  std::vector<double> rates_;
};

}  // namespace

std::vector<double> fair_rates(std::span<const double> capacities, std::span<const FairFlow> flows) {
  return Filling(capacities, flows).rates();
}

}  // namespace orrery::core
