#include "workload/parallelism/gradient_exchange.hpp"

namespace orrery::core {

std::vector<GradientExchange> gradient_exchanges(int zero, bool copies) {
  // A rank owns a slice of a flat list of parameters, along its only dimension.
  const ShardState slice = sharded(Dim{});
  const ShardState weights = zero >= 3 ? slice : duplicated;
  const ShardState optimizer = zero >= 1 ? slice : duplicated;
  // If only a part of the gradients is kept, those of a micro-batch are reduced before the next one's.
  const bool gradients_kept_in_parts = zero >= 2, weights_kept_in_parts = zero >= 3;
  std::vector<GradientExchange> exchanges;
  const auto add = [&](ExchangeMoment moment, ShardState from, ShardState to, bool of_weights, bool every) {
    const auto kind = collective_of(*transition(from, to));
    if (kind) exchanges.push_back({moment, *kind, of_weights, every});
  };
  add(ExchangeMoment::before_forward, weights, duplicated, true, weights_kept_in_parts);
  add(ExchangeMoment::before_backward, weights, duplicated, true, weights_kept_in_parts);
  add(ExchangeMoment::after_backward, partial, optimizer, false, gradients_kept_in_parts);
  if (copies && optimizer != duplicated) {
    add(ExchangeMoment::after_backward, partial, duplicated, false, gradients_kept_in_parts);
    exchanges.back().among_copies = true;
  }
  add(ExchangeMoment::after_optimizer, optimizer, weights, true, false);
  return exchanges;
}

}  // namespace orrery::core
