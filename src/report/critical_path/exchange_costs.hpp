// Asks whoever carries out collectives what these and messages consist of by themselves, and asks once about
// those that are alike.
#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "base/units/rank_id.hpp"
#include "simulate/collectives/collective_policies.hpp"

namespace orrery {

class ExchangeCosts {
 public:
  // Keeps references.
  ExchangeCosts(const Program& program, const Machine& machine)
      : explainer_(collective_policy_of(program, machine).explain(program, machine)) {}

  // Return what CollectiveExplainer does.
  const ExchangeCost& of(std::uint32_t part, const CollectiveRequest& request, int dimension) {
    const auto [found, is_new] = known_.try_emplace(
        {part, request.kind, request.size, request.dimensions.to_ulong(), request.communicator, dimension});
    if (is_new) found->second = explainer_->of(part, request, dimension);
    return found->second;
  }
  ExchangeCost of_message(RankId source, RankId destination, Bytes bytes) {
    return explainer_->of_message(source, destination, bytes);
  }

 private:
  using Key = std::tuple<std::uint32_t, CollectiveKind, Bytes, unsigned long, std::uint32_t, int>;

  const std::unique_ptr<CollectiveExplainer> explainer_;
  std::map<Key, ExchangeCost> known_;
};

}  // namespace orrery
