#include "network/packet/flits/flit_transport.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

FlitTransport::FlitTransport(std::shared_ptr<const FlitNetwork> network, EventLoop& loop)
    : network_(std::move(network)),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      fabric_(*network_),
      engine_(fabric_),
      turns_(fabric_.npus()) {}

Stamp FlitTransport::stamp_of(Cycle cycle) const {
  return Clock::instant_of_ns(static_cast<double>(cycle) / network_->clock_ghz);
}

FlitTransport::Cycle FlitTransport::cycle_from(Stamp stamp) const {
  auto cycle = static_cast<Cycle>(static_cast<double>(stamp) / 1000 * network_->clock_ghz);
  while (cycle > 0 && stamp_of(cycle - 1) >= stamp) --cycle;
  while (stamp_of(cycle) < stamp) ++cycle;
  return cycle;
}

std::uint32_t FlitTransport::chosen_vnet(std::uint32_t from, std::uint32_t to, std::uint32_t turn) const {
  if (const auto vnet = fabric_.first_vnet(from, to, turn)) return *vnet;
  throw InputError(
      {}, fmt::format("no ring or wire leads from NPU {} toward NPU {}; give the network one", from, to));
}

void FlitTransport::require_route(std::uint32_t vnet, std::uint32_t from, std::uint32_t to) const {
  if (vnet >= fabric_.vnets())
    throw InputError({}, fmt::format("channel {} is no vnet: the network has {}, which count from 0", vnet,
                                     fabric_.vnets()));
  if (!fabric_.leads(vnet, from, to))
    throw InputError({}, fmt::format("vnet {} does not lead from NPU {} to NPU {}, and packets stay in their "
                                     "vnet: choose another channel, or leave it out to have one chosen",
                                     vnet, from, to));
}

void FlitTransport::send_with(const MessageService& service, int source, int destination, Bytes bytes,
                              const Event& delivered) {
  const auto from = static_cast<std::uint32_t>(source), to = static_cast<std::uint32_t>(destination);
  const std::uint32_t turn = turns_[from]++;
  if (service.vnet) require_route(*service.vnet, from, to);
  const std::uint32_t vnet = service.vnet ? *service.vnet : chosen_vnet(from, to, turn);
  const auto flits = (fabric_.packet_bytes(vnet) * 8 + network_->flit_bits - 1) / network_->flit_bits;
  if (!network_->strict_reference && network_->vcs == 1 && flits > network_->buffer_flits &&
      fabric_.wraps_far(vnet, from, to))
    throw InputError({},
                     fmt::format("packets from NPU {} to NPU {} and others on their ring might wait for one "
                                 "another for ever: give `vcs-per-vnet` 2, or `buffers-per-vc` {}",
                                 from, to, flits));
  skip_to(cycle_from(loop_.now()));
  const std::uint32_t message = engine_.send(from, to, vnet, turn, bytes.count());
  if (message >= delivered_.size()) delivered_.resize(message + 1);
  delivered_[message] = delivered;
  wake_at(stamp_of(next_));
}

// Everything that happens before the cycle is known, except for credits that come when no message is in
// flight any more.
void FlitTransport::skip_to(Cycle cycle) {
  for (Cycle busy = engine_.next_busy(next_); busy < cycle; busy = engine_.next_busy(next_)) {
    simulate(busy);
    next_ = busy + 1;
  }
  next_ = std::max(next_, cycle);
}

void FlitTransport::wake_at(Stamp stamp) {
  if (wakes_at_ == stamp) return;
  wakes_at_ = stamp;
  loop_.at(stamp, Event{handler_, wakes, 0, 0, 0});
}

void FlitTransport::handle(const Event& event) {
  switch (event.what) {
    case wakes:
      if (wakes_at_ != loop_.now()) break;
      wakes_at_ = -1;
      run_at_end_of_instant();
      break;
    case delivers:
      deliver();
      break;
    default:
      // Whatever is sent in this instant takes part in its cycle.
      runs_at_end_ = false;
      if (loop_.next() == loop_.now())
        run_at_end_of_instant();
      else
        run();
  }
}

// Once alone: two that let each other go first would do so for ever.
void FlitTransport::run_at_end_of_instant() {
  if (runs_at_end_) return;
  runs_at_end_ = true;
  loop_.at_end_of_instant(Event{handler_, runs, 0, 0, 0});
}

void FlitTransport::simulate(Cycle cycle) {
  constexpr std::uint64_t cycles_between_reports = 0x1000;
  engine_.simulate(cycle);
  if (++simulated_cycles_ % cycles_between_reports == 0) loop_.report();
}

// Nothing else happens until the next event, or until a message is received.
void FlitTransport::run() {
  const Stamp until = loop_.is_done() ? loop_.now() : loop_.next();
  while (engine_.in_flight()) {
    const Cycle busy = engine_.next_busy(next_);
    if (busy == FlitEngine::never)
      throw StallError("packets wait for one another in the network of flits: " + engine_.waiting_circle());
    const Stamp at = stamp_of(busy);
    if (at > loop_.now() && at >= until) {
      wake_at(at);
      return;
    }
    simulate(busy);
    next_ = busy + 1;
    if (engine_.received().empty()) continue;
    if (at == loop_.now())
      deliver();
    else
      loop_.at(at, Event{handler_, delivers, 0, 0, 0});
    return;
  }
}

void FlitTransport::deliver() {
  std::vector<Event> events;
  for (const std::uint32_t message : engine_.received()) events.push_back(delivered_[message]);
  engine_.forget_received();
  for (const Event& event : events) loop_.dispatch(event);
  run_at_end_of_instant();
}

std::vector<LinkUse> FlitTransport::links(Time now) const {
  const double cycles_of_run = std::max(1.0, static_cast<double>(engine_.now()));
  std::vector<LinkUse> uses;
  for (WireId id = 0; id < fabric_.wires().size(); ++id) {
    const Wire& wire = fabric_.wires()[id];
    if (wire.dimension < 0) continue;
    const FlitChannels::Traffic traffic = engine_.traffic(id);
    const double cycles = static_cast<double>(traffic.flits) * wire.period;
    const auto bits = traffic.flits * static_cast<std::uint64_t>(network_->flit_bits);
    const std::string to = fabric_.name_of(wire.to);
    uses.push_back({.from = fabric_.name_of(wire.from),
                    .to = wire.vnets > 1 ? to : fmt::format("{} (vnet {})", to, wire.vnet),
                    .dimension = wire.dimension,
                    .load = {Bytes(bits / 8), engine_.messages(id)},
                    .busy = std::min(now, Time::from_ns_rounded(cycles / network_->clock_ghz)),
                    .of_flits = FlitLinkUse{engine_.packets(id), traffic.flits, traffic.longest_line,
                                            traffic.max_channels, traffic.fullest_channel,
                                            engine_.stalled(id), traffic.held_cycles / cycles_of_run}});
  }
  std::ranges::stable_sort(uses, std::ranges::greater(), &LinkUse::busy);
  return uses;
}

std::vector<PacketLatencies> FlitTransport::latencies() const {
  std::vector<PacketLatencies> latencies;
  for (std::uint32_t vnet = 0; vnet < fabric_.vnets(); ++vnet)
    if (const LatencyHistogram& histogram = engine_.latencies()[vnet]; histogram.count() > 0)
      latencies.push_back({vnet, 1 / network_->clock_ghz, histogram});
  return latencies;
}

}  // namespace orrery::core
