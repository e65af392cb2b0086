#include "network/packet/flits/flit_sources.hpp"

#include <algorithm>

namespace orrery::core {

FlitSources::FlitSources(const Fabric& fabric, FlitChannels& channels)
    : fabric_(fabric), channels_(channels), vcs_per_vnet_(channels.per_vnet()) {
  const std::size_t sources = std::size_t{fabric.npus()} * fabric.vnets();
  sources_.resize(sources);
  order_.resize(sources * vcs_per_vnet_);
  left_to_send_.resize(sources * vcs_per_vnet_);
}

std::uint32_t FlitSources::send(std::uint32_t from, std::uint32_t to, std::uint32_t vnet, std::uint32_t turn,
                                std::uint64_t bytes) {
  const FlitNetwork& network = fabric_.network();
  const auto packet = static_cast<std::uint64_t>(fabric_.packet_bytes(vnet));
  const auto flit_bits = static_cast<std::uint64_t>(network.flit_bits);
  const std::uint64_t packets = std::max<std::uint64_t>(1, bytes / packet + (bytes % packet != 0));
  const std::uint64_t last = network.pads_last_packet ? packet : bytes - (packets - 1) * packet;
  FlitMessage message{from, to, turn, none, packets, packets, 0};
  message.last_flits =
      static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (last * 8 + flit_bits - 1) / flit_bits));
  std::uint32_t number;
  if (free_messages_.empty()) {
    number = static_cast<std::uint32_t>(messages_.size());
    messages_.push_back(message);
  } else {
    number = free_messages_.back();
    free_messages_.pop_back();
    messages_[number] = message;
  }
  ++in_flight_;
  const WireId wire = fabric_.injection(from, vnet);
  Source& source = sources_[wire];
  (source.first == none ? source.first : messages_[source.last].next) = number;
  source.last = number;
  activate(wire);
  return number;
}

void FlitSources::forget_received() {
  free_messages_.insert(free_messages_.end(), received_.begin(), received_.end());
  received_.clear();
}

// An NPU makes at most one packet of a vnet in a cycle, and sends at most one flit.
void FlitSources::send_from(WireId wire, FlitChannels::Cycle now) {
  Source& source = sources_[wire];
  if (source.first != none) make_packet(source, wire, now);
  const std::uint32_t vc = vc_to_send(source, wire);
  if (vc == none) return;
  source.last_sent = vc - channels_.first_of(wire);
  if (--left_to_send_[vc] == 0) {
    if (fabric_.network().injection_order == InjectionOrder::fifo)
      source.begin = (source.begin + 1) % vcs_per_vnet_;
    --source.size;
  }
  channels_.put_flit(now, vc);
}

std::uint32_t& FlitSources::order_of(WireId wire, std::uint32_t index) {
  return order_[wire * vcs_per_vnet_ + (sources_[wire].begin + index) % vcs_per_vnet_];
}

void FlitSources::make_packet(Source& source, WireId wire, FlitChannels::Cycle now) {
  const std::uint32_t vc = channels_.free_vc_from(channels_.lane_of(wire), source.next_vc);
  if (vc == none) return;
  channels_.take(vc);
  channels_.set_made(vc, now);
  source.next_vc = (vc - channels_.first_of(wire) + 1) % vcs_per_vnet_;
  FlitMessage& message = messages_[source.first];
  const std::uint32_t vnet = fabric_.wires()[wire].vnet;
  const auto bits_of_packet = static_cast<std::uint64_t>(fabric_.packet_bytes(vnet)) * 8;
  const auto flit_bits = static_cast<std::uint64_t>(fabric_.network().flit_bits);
  FlitVc& state = channels_[vc];
  state.message = source.first;
  state.left = message.to_make == 1
                   ? message.last_flits
                   : static_cast<std::uint32_t>((bits_of_packet + flit_bits - 1) / flit_bits);
  left_to_send_[vc] = state.left;
  order_of(wire, source.size++) = vc;
  if (--message.to_make == 0) source.first = message.next;
}

// Returns the virtual channel whose next flit goes on the wire.
std::uint32_t FlitSources::vc_to_send(const Source& source, WireId wire) const {
  if (source.size == 0) return none;
  if (fabric_.network().injection_order == InjectionOrder::fifo) {
    const std::uint32_t vc = order_[wire * vcs_per_vnet_ + source.begin];
    return channels_[vc].credits > 0 ? vc : none;
  }
  for (std::uint32_t i = 1; i <= vcs_per_vnet_; ++i) {
    const std::uint32_t vc = channels_.first_of(wire) + (source.last_sent + i) % vcs_per_vnet_;
    if (left_to_send_[vc] > 0 && channels_[vc].credits > 0) return vc;
  }
  return none;
}

bool FlitSources::can_send(const Source& source, WireId wire) const {
  if (source.first != none && channels_.free_vc(channels_.lane_of(wire), true) != none) return true;
  return vc_to_send(source, wire) != none;
}

void FlitSources::activate(WireId wire) {
  if (sources_[wire].active) return;
  sources_[wire].active = true;
  active_.push_back(wire);
}

void FlitSources::receive_packet(std::uint32_t number) {
  if (--messages_[number].to_receive > 0) return;
  received_.push_back(number);
  --in_flight_;
}

void FlitSources::simulate(FlitChannels::Cycle now) {
  // The order of an NPU's packets decides which switch each takes.
  if (fabric_.network().switches > 1) std::ranges::sort(active_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const WireId wire = active_[i];
    send_from(wire, now);
    if (can_send(sources_[wire], wire))
      active_[kept++] = wire;
    else
      sources_[wire].active = false;
  }
  active_.resize(kept);
}

}  // namespace orrery::core
