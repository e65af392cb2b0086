#include "network/packet/flits/flit_channels.hpp"

#include <algorithm>
#include <bit>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {
namespace {

std::int64_t horizon_of(const Fabric& fabric) {
  std::int64_t longest = 1;
  for (const Wire& wire : fabric.wires())
    longest = std::max(longest, wire.latency + wire.conversion + static_cast<std::int64_t>(wire.period));
  return 2 * (longest + fabric.network().router_latency + 4);
}

}  // namespace

FlitChannels::FlitChannels(const Fabric& fabric)
    : per_vnet_(static_cast<std::uint32_t>(fabric.network().vcs)),
      words_((per_vnet_ + 63) / 64),
      wires_(fabric.wires().size()),
      flits_(horizon_of(fabric)),
      credits_(flits_.horizon()) {
  const FlitNetwork& network = fabric.network();
  std::uint64_t lanes = 0;
  for (const Wire& wire : fabric.wires()) lanes += wire.vnets;
  constexpr std::uint64_t max_vcs = std::uint64_t{1} << 27;  // 4 GiB
  if (lanes * per_vnet_ > max_vcs)
    throw InputError({},
                     "the network has more than 2^27 virtual channels, each of which would be simulated; "
                     "make it smaller, or give it fewer rings or `vcs-per-vnet`");
  vcs_.reserve(lanes * per_vnet_);
  for (WireId id = 0; id < wires_.size(); ++id) {
    const Wire& wire = fabric.wires()[id];
    State& state = wires_[id];
    state.first_vc = static_cast<std::uint32_t>(vcs_.size());
    vcs_.insert(vcs_.end(), std::size_t{wire.vnets} * per_vnet_,
                {id, static_cast<std::uint32_t>(network.buffer_flits)});
    const std::int64_t cycles = 1 + wire.latency + wire.conversion;
    state.credit_cycles = static_cast<std::uint32_t>(cycles);
    state.flit_cycles = static_cast<std::uint32_t>(cycles + (wire.to_npu ? 0 : network.router_latency - 1));
    if (wire.phits == 0) continue;
    state.serializer = static_cast<std::uint32_t>(serializers_.size());
    serializers_.insert(serializers_.end(), 2, Serializer(wire.period));
  }
  made_.resize(vcs_.size());
  const std::uint32_t last = per_vnet_ % 64;
  taken_.assign(lanes, 0);
  free_.assign(lanes * words_, ~std::uint64_t{0});
  if (last != 0)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      free_[lane * words_ + words_ - 1] = (std::uint64_t{1} << last) - 1;
}

std::uint32_t FlitChannels::free_vc(std::uint32_t lane, bool any) const {
  const std::uint64_t* const bits = &free_[lane * words_];
  for (std::uint32_t word = 0; word < words_; ++word) {
    if (bits[word] == 0) continue;
    const std::uint32_t index = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits[word]));
    return any || index + 1 < per_vnet_ ? lane * per_vnet_ + index : none;
  }
  return none;
}

std::uint32_t FlitChannels::free_vc_from(std::uint32_t lane, std::uint32_t index) const {
  const std::uint64_t* const bits = &free_[lane * words_];
  for (std::uint32_t i = 0; i <= words_; ++i) {
    const std::uint32_t word = (index / 64 + i) % words_;
    std::uint64_t here = bits[word];
    if (i == 0) here &= ~std::uint64_t{0} << index % 64;
    if (here != 0) return lane * per_vnet_ + word * 64 + static_cast<std::uint32_t>(std::countr_zero(here));
  }
  return none;
}

void FlitChannels::take(std::uint32_t vc) {
  const std::uint32_t lane = vc / per_vnet_, index = vc % per_vnet_;
  free_[lane * words_ + index / 64] &= ~(std::uint64_t{1} << index % 64);
  State& wire = wires_[vcs_[vc].wire];
  wire.max_channels = std::max(wire.max_channels, ++taken_[lane]);
}

void FlitChannels::set_free(std::uint32_t vc) {
  const std::uint32_t lane = vc / per_vnet_, index = vc % per_vnet_;
  free_[lane * words_ + index / 64] |= std::uint64_t{1} << index % 64;
  --taken_[lane];
  vcs_[vc].message = none;
}

void FlitChannels::put_flit(Cycle now, std::uint32_t vc) {
  State& wire = wires_[vcs_[vc].wire];
  --vcs_[vc].credits;
  ++wire.flits;
  if (wire.serializer == none) {
    flits_.add(now + wire.flit_cycles, vc);
    return;
  }
  serializers_[wire.serializer].take(vc, now + wire.flit_cycles);
  release(now, wire.serializer, flits_);
}

void FlitChannels::put_credit(Cycle now, std::uint32_t vc, bool free) {
  State& wire = wires_[vcs_[vc].wire];
  wire.held += now;
  const std::uint32_t item = vc << 1 | (free ? 1 : 0);
  if (wire.serializer == none) {
    credits_.add(now + wire.credit_cycles, item);
    return;
  }
  serializers_[wire.serializer + 1].take(item, now + wire.credit_cycles);
  release(now, wire.serializer + 1, credits_);
}

// A release that comes much later waits until the one before it has arrived.
void FlitChannels::release(Cycle now, std::uint32_t serializer, CycleWheel& wheel) {
  serializers_[serializer].release(now + wheel.horizon() / 2,
                                   [&](std::uint32_t item, Cycle at) { wheel.add(at, item); });
}

FlitChannels::Cycle FlitChannels::next_arrival(Cycle cycle) const {
  Cycle next = never;
  if (!flits_.empty()) next = flits_.next(cycle);
  if (!credits_.empty()) next = std::min(next, credits_.next(cycle));
  return next;
}

FlitChannels::Traffic FlitChannels::traffic(WireId id, Cycle now) const {
  const State& wire = wires_[id];
  const std::uint32_t end = id + 1 < wires_.size() ? wires_[id + 1].first_vc : size();
  std::int64_t held = wire.held;
  for (std::uint32_t vc = wire.first_vc; vc < end; ++vc) held += now * vcs_[vc].buffered;
  return {wire.flits, wire.serializer == none ? 0 : serializers_[wire.serializer].longest_line(),
          wire.max_channels, wire.fullest_channel, static_cast<double>(held)};
}

}  // namespace orrery::core
