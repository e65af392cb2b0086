#include "network/packet/flits/flit_transport.hpp"
#include "network/packet/packet_family.hpp"

namespace orrery::core {

const PacketFamily flit_packets{
    .carries = [](const Topology& topology) { return topology.flits != nullptr; },
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      return std::make_unique<FlitTransport>(machine.topology.flits, loop);
    },
    .beyond_coarser =
        "a message of flits takes one ring or wire of a dimension, while other models give it the bandwidth "
        "of all "
        "of them; with `queues-per-dimension: 2` and several active chunks, rings are used both ways"};

}  // namespace orrery::core
