// The network model `packet`. What a packet is depends on the kind of topology; each kind has a family.
#include <array>

#include <fmt/format.h>

#include "base/diagnostics/diagnostics.hpp"
#include "network/network_models.hpp"
#include "network/packet/packet_family.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {
namespace {

constexpr std::array families{&graph_packets, &flit_packets};

// Returns null where there is none.
const PacketFamily* find_family(const Topology& topology) {
  for (const PacketFamily* family : families)
    if (family->carries(topology)) return family;
  return nullptr;
}

InputError no_family() {
  return InputError(
      {},
      "the network model `packet` needs a network of nodes and links or of flits, and this one is "
      "its dimensions alone; use another model, or describe the network as a graph");
}

const PacketFamily& family_of(const Topology& topology) {
  if (const PacketFamily* const family = find_family(topology)) return *family;
  throw no_family();
}

}  // namespace

const NetworkModelKind packet_model{
    .name = "packet",
    .meaning = "messages are cut into packets, on graphs and networks of flits",
    .carries_collectives = true,
    .has_history = true,
    .symmetry = Symmetry::kept,
    .has_priorities = [](const Topology& topology) { return family_of(topology).has_settings; },
    // A queue pair goes on at the rate at which it was, and its acknowledgements take links later.
    .remembers = [](const PacketSettings* packets) { return !packets || packets->every_packet; },
    .detail = 3,
    .beyond_coarser = [](const Topology& topology) { return family_of(topology).beyond_coarser; },
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      return family_of(machine.topology).make(machine, loop);
    },
    .check =
        [](const Topology& topology, const Dialect& dialect) {
          const PacketFamily& family = family_of(topology);
          if (family.check) family.check(topology, dialect);
        }};

InputFault fault_of_packets(const Topology& topology, NetworkModel model, const SourceLocation& where,
                            std::string_view what) {
  if (model != &packet_model)
    return InputError(
        where, fmt::format("the network model `{}` knows nothing of packets; use `packet`, or leave {} "
                           "out",
                           model->name, what));
  const PacketFamily* const family = find_family(topology);
  if (!family) return no_family();
  if (!family->has_settings)
    return InputError(
        where,
        fmt::format("the network is one of flits, whose file says what packets do; leave {} out", what));
  return std::nullopt;
}

}  // namespace orrery::core
