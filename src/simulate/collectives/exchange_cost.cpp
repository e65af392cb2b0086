#include "simulate/collectives/exchange_cost.hpp"

namespace orrery::core {

ExchangeCost CollectiveExplainer::untimed_message(Bytes bytes) {
  ExchangeCost cost;
  cost.chunks = 1;
  cost.steps = 1;
  cost.sent_bytes = bytes.as_double();
  return cost;
}

ExchangeCost CollectiveExplainer::of_message(RankId source, RankId destination, Bytes bytes) {
  ExchangeCost cost = untimed_message(bytes);
  const auto message = messages_.of(npu_of(source), npu_of(destination), bytes);
  if (!message) return cost;
  cost.latency = message->latency;
  cost.links = message->bytes;
  return cost;
}

}  // namespace orrery::core
