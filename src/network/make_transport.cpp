#include "network/make_transport.hpp"

#include "network/analytical/contention_free_transport.hpp"
#include "network/fluid/fluid_transport.hpp"
#include "network/link/link_transport.hpp"

namespace orrery {

std::unique_ptr<Transport> make_transport(NetworkModel model, const TransportMachine& machine,
                                          EventLoop& loop) {
  if (model == NetworkModel::link)
    return std::make_unique<LinkTransport>(machine.topology, machine.dialect, loop, machine.slow_links);
  if (machine.dialect.overloads_links)
    return std::make_unique<ContentionFreeTransport>(machine.topology, machine.dialect, loop);
  return std::make_unique<FluidTransport>(machine.topology, machine.dialect, loop, machine.in_step);
}

}  // namespace orrery
