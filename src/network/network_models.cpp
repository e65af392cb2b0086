#include "network/network_models.hpp"

#include "network/analytical/contention_free_transport.hpp"
#include "network/fluid/fluid_transport.hpp"
#include "network/link/link_transport.hpp"

namespace orrery {

const NetworkModelKind analytical_model{
    .name = "analytical",
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      if (machine.dialect.overloads_links)
        return std::make_unique<ContentionFreeTransport>(machine.topology, machine.dialect, loop);
      return std::make_unique<FluidTransport>(machine.topology, machine.dialect, loop, machine.in_step);
    }};

const NetworkModelKind link_model{
    .name = "link",
    .carries_collectives = true,
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      return std::make_unique<LinkTransport>(machine.topology, machine.dialect, loop, machine.slow_links);
    },
    .check = check_number_of_links};

}  // namespace orrery
