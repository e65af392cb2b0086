#include "network/packet/flits/flit_transport.hpp"
#include "network/packet/packet_family.hpp"

namespace orrery {

const PacketFamily flit_packets{
    .carries = [](const Topology& topology) { return topology.flits != nullptr; },
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      return std::make_unique<FlitTransport>(machine.topology.flits, loop);
    }};

}  // namespace orrery
