#include "workload/training/stages/pass_exchanges.hpp"

#include <variant>

#include "workload/training/stages/pass_pieces.hpp"

namespace orrery::core {

const PassExchanges::Block& PassExchanges::block(BlockKind kind, bool backward) {
  const auto [found, is_new] = blocks_.try_emplace({kind, backward});
  Block& block = found->second;
  if (!is_new) return block;
  const RankBlock of_rank = block_of(kind, setup_);
  const std::vector<Step>& steps = backward ? of_rank.backward : of_rank.forward;
  StepTimes times;
  const BlockTime time = time_of_steps(steps, device_of(setup_), exchange_time_of(setup_), &times);
  block.total =
      launched_by_host(time, setup_.stack.host_time_per_operator, setup_.stack.host_time_per_exchange).total;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (const auto* exchange = std::get_if<Exchange>(&steps[i].work))
      block.exchanges.push_back({*exchange, times.begins[i]});
  return block;
}

std::vector<PassExchange> PassExchanges::of(int stage, const PassPart& part) {
  std::vector<PassExchange> exchanges;
  // The framework's time comes first.
  Seconds now = part.first == 0 ? Seconds::of(setup_.stack.time_per_pass) : Seconds();
  for (const BlockKind kind : blocks_of_pass(setup_, stage, part)) {
    const Block& one = block(kind, part.slot.backward);
    for (const PassExchange& exchange : one.exchanges)
      exchanges.push_back({exchange.exchange, now + exchange.begin});
    now += one.total;
  }
  return exchanges;
}

}  // namespace orrery::core
