#include "network/network_models.hpp"

#include <fmt/format.h>

#include "network/analytical/contention_free_transport.hpp"
#include "network/analytical/graph_closed_form.hpp"
#include "network/fluid/fluid_transport.hpp"
#include "network/fluid/graph_flows.hpp"
#include "network/link/link_transport.hpp"

namespace orrery {

const NetworkModelKind analytical_model{
    .name = "analytical",
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      if (machine.topology.graph) return std::make_unique<GraphClosedForm>(machine.topology, loop);
      if (machine.dialect.overloads_links)
        return std::make_unique<ContentionFreeTransport>(machine.topology, machine.dialect, loop);
      return std::make_unique<FluidTransport>(machine.topology, machine.dialect, loop,
                                              FlowProgress::Order::together, machine.in_step);
    }};

const NetworkModelKind link_model{
    .name = "link",
    .carries_collectives = true,
    .detail = 2,
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      return std::make_unique<LinkTransport>(machine.topology, machine.dialect, loop, machine.slow_links);
    },
    .check =
        [](const Topology& topology, const Dialect& dialect) {
          if (topology.graph)
            throw InputError({},
                             "messages do not queue for the links of a graph; let them share them with the "
                             "network model `fluid`");
          check_number_of_links(topology, dialect);
        }};

const NetworkModelKind fluid_model{
    .name = "fluid",
    .carries_collectives = true,
    .detail = 1,
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      if (machine.topology.graph) return std::make_unique<GraphFlows>(machine.topology, loop);
      return std::make_unique<FluidTransport>(machine.topology, machine.dialect, loop,
                                              FlowProgress::Order::in_line, machine.in_step,
                                              machine.slow_links);
    },
    .check =
        [](const Topology& topology, const Dialect& dialect) {
          if (topology.graph || AnalyticalNetwork(topology, dialect).clock().counts_picoseconds()) return;
          throw InputError(
              {},
              "flows need whole picoseconds, which this dialect has not with a memory (HBM) term; "
              "use another network model");
        }};

void require_model_of(const Topology& topology, NetworkModel model) {
  if (!topology.graph || model->carries_collectives) return;
  throw InputError({},
                   fmt::format("the network is a graph, on whose links messages meet, and the network model "
                               "`{}` knows only dimensions; use `fluid`",
                               model->name));
}

}  // namespace orrery
