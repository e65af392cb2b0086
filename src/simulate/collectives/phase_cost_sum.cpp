#include "simulate/collectives/phase_cost_sum.hpp"

#include <algorithm>
#include <utility>

namespace orrery::core {

void PhaseCostSum::add(const ExchangeSchedule& exchange, int npu, const Peer& to) {
  ++phases_of_chunk_;
  const std::size_t kinds = std::min<std::size_t>(exchange.steps.size(), exchange.messages);
  Seconds latency, bytes;
  double sent = 0;
  bool known = true;
  for (std::size_t k = 0; k < kinds; ++k) {
    const ExchangeSchedule::Step& step = exchange.steps[k];
    sent += step.bytes.as_double();
    const auto message = messages_.of(npu, to(step), step.bytes);
    known = known && message.has_value();
    if (!message) continue;
    latency += message->latency + Seconds::of(endpoint_delay_);
    bytes += message->bytes;
  }
  const double rounds =
      static_cast<double>(exchange.messages) / static_cast<double>(std::max<std::size_t>(kinds, 1));
  cost_.steps += static_cast<double>(exchange.messages);
  cost_.sent_bytes += sent * rounds;
  if (!known) return;
  cost_.latency = cost_.latency.value_or(Seconds()) + latency * (rounds / exchange.in_flight);
  if (links_ == Links::of_messages) cost_.links = cost_.links.value_or(Seconds()) + bytes * rounds;
}

void PhaseCostSum::add(const TreeSchedule& tree) {
  ++phases_of_chunk_;
  const double mean = 2.0 * (tree.members - 1) / tree.members;
  cost_.steps += mean;
  cost_.sent_bytes += mean * tree.bytes.as_double();
}

void PhaseCostSum::add(const MemberProgram& program) {
  ++phases_of_chunk_;
  for (const MemberProgram::Step& step : program.steps) {
    if (step.kind != MemberProgram::Kind::send) continue;
    cost_.steps += 1;
    cost_.sent_bytes += step.bytes.as_double();
  }
}

void PhaseCostSum::end_chunk() {
  const std::uint64_t phases = std::exchange(phases_of_chunk_, 0);
  cost_.phases += static_cast<double>(phases);
  if (phases > 0) ++cost_.chunks;
}

ExchangeCost PhaseCostSum::sum() const {
  ExchangeCost cost = cost_;
  if (cost.chunks > 0) cost.steps /= static_cast<double>(cost.chunks);
  if (cost.latency) cost.latency = *cost.latency / cost.phases;
  return cost;
}

}  // namespace orrery::core
