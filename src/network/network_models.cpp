#include "network/network_models.hpp"

#include <fmt/format.h>

#include "network/analytical/contention_free_transport.hpp"
#include "network/analytical/graph_closed_form.hpp"
#include "network/fluid/fluid_transport.hpp"
#include "network/fluid/folded_flows.hpp"
#include "network/fluid/graph_flows.hpp"
#include "network/fluid/rerouted_flows.hpp"
#include "network/graph/forwarding_transport.hpp"
#include "network/link/link_transport.hpp"
#include "network/network_setup.hpp"
#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/relays/relaying.hpp"

namespace orrery::core {

namespace {

std::unique_ptr<Transport> flows_on_graph(const TransportMachine& machine, EventLoop& loop) {
  const Topology& topology = machine.topology;
  const bool relays = relaying_of(topology) != Relaying::never;
  const bool links_change = topology.link_changes && !topology.link_changes->list.empty();
  if (links_change || (topology.routing && topology.routing->by_message)) {
    auto flows = std::make_unique<ReroutedFlows>(topology, loop, machine.network.link_history);
    if (!relays) return flows;
    ReroutedFlows& carrier = *flows;
    auto passed_on = std::make_unique<ForwardingTransport>(topology, std::move(flows), loop);
    carrier.give_cut_messages_to(*passed_on);
    return passed_on;
  }
  auto flows = std::make_unique<GraphFlows>(topology, loop, machine.network.link_history);
  if (!relays) return flows;
  return std::make_unique<ForwardingTransport>(topology, std::move(flows), loop);
}

// Puts what the network has besides links around the transport that knows the links.
std::unique_ptr<Transport> with_options(std::unique_ptr<Transport> transport, const TransportMachine& machine,
                                        EventLoop& loop, bool one_for_all) {
  for (const SharedOption& option : machine.network.options)
    transport = option->around(std::move(transport), machine.topology, loop, one_for_all);
  return transport;
}

}  // namespace

std::unique_ptr<Transport> make_transport(NetworkModel model, const TransportMachine& machine,
                                          EventLoop& loop) {
  return with_options(model->make(machine, loop), machine, loop, false);
}

std::unique_ptr<Transport> make_folded_transport(NetworkModel model,
                                                 std::shared_ptr<const SymmetricRoutes> routes,
                                                 const TransportMachine& machine, EventLoop& loop) {
  return with_options(model->make_folded(std::move(routes), loop), machine, loop, true);
}

const NetworkModelKind analytical_model{
    .name = "analytical",
    .meaning = "closed forms",
    .has_slow_links = true,
    .reaches_switches = true,
    .symmetry = Symmetry::kept,
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      if (machine.topology.graph) return std::make_unique<GraphClosedForm>(machine.topology, loop);
      if (machine.dialect.overloads_links)
        return std::make_unique<ContentionFreeTransport>(machine.topology, machine.dialect, loop,
                                                         machine.network.slow_links, machine.in_step);
      return std::make_unique<FluidTransport>(machine.topology, machine.dialect, loop, machine.in_step);
    }};

const NetworkModelKind library_model{
    .name = "library",
    .has_known_times = true,
    .symmetry = Symmetry::kept,
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      return std::make_unique<KnownSends>(machine.network.sends, loop);
    }};

const NetworkModelKind link_model{
    .name = "link",
    .meaning = "messages queue for links",
    .carries_collectives = true,
    .has_slow_links = true,
    .has_history = true,
    .reaches_switches = true,
    .symmetry = Symmetry::kept,
    .detail = 2,
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      return std::make_unique<LinkTransport>(machine.topology, machine.dialect, loop,
                                             machine.network.slow_links, machine.network.link_history);
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
    .meaning = "messages share links",
    .carries_collectives = true,
    .has_slow_links = true,
    .has_history = true,
    .reaches_switches = true,
    .symmetry = Symmetry::kept,
    .detail = 1,
    .counts_messages = true,
    .make = [](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
      if (machine.topology.graph) return flows_on_graph(machine, loop);
      return std::make_unique<FluidTransport>(machine.topology, machine.dialect, loop, machine.in_step,
                                              machine.network.slow_links, machine.network.link_history);
    },
    .make_folded = [](std::shared_ptr<const SymmetricRoutes> routes, EventLoop& loop)
        -> std::unique_ptr<Transport> { return std::make_unique<FoldedFlows>(std::move(routes), loop); },
    .check =
        [](const Topology& topology, const Dialect& dialect) {
          if (topology.graph || AnalyticalNetwork(topology, dialect).clock().counts_picoseconds()) return;
          throw InputError(
              {},
              "flows need whole picoseconds, which this dialect has not with a memory (HBM) term; "
              "use another network model");
        }};

InputFault fault_of_routes(const Topology& topology, NetworkModel model, const SourceLocation& where,
                           std::string_view what) {
  if (!topology.graph)
    return InputError(
        where,
        fmt::format("the network is no graph, so that there is one way for every message; leave {} out",
                    what));
  if (!model->carries_collectives)
    return InputError(where, fmt::format("with the network model `{}` ways do not matter; leave {} out",
                                         model->name, what));
  return std::nullopt;
}

InputFault fault_of_link_history(const Topology& topology, NetworkModel model, const SourceLocation& where,
                                 std::string_view what) {
  if (!model->has_history)
    return InputError(where,
                      fmt::format("with the network model `{}` nobody follows messages over links, so "
                                  "that it is not known what these carry when; use `{}`, or leave {} out",
                                  model->name, topology.graph ? "fluid" : "link", what));
  if (topology.flits)
    return InputError(
        where, fmt::format("a network of flits does not keep what its wires carry when; leave {} out", what));
  return std::nullopt;
}

void require_routing(const Topology& topology, const RoutingKind* routing, const SourceLocation& where) {
  const std::string_view why_not = routing->why_not ? routing->why_not(*topology.graph) : std::string_view();
  if (!why_not.empty())
    throw InputError(
        where, fmt::format("the routing `{}` {}; use another one, such as `ecmp`", routing->name, why_not));
}

InputFault fault_of_slow_links(NetworkModel model, const SourceLocation& where) {
  if (model->has_slow_links) return std::nullopt;
  return InputError(where,
                    fmt::format("with the network model `{}` all links of a kind are equally fast; use "
                                "another model, or leave `slow-links` out",
                                model->name));
}

void require_model_of(const Topology& topology, NetworkModel model) {
  if (!topology.graph || model->carries_collectives) return;
  throw InputError({},
                   fmt::format("the network is a graph, on whose links messages meet, and the network model "
                               "`{}` knows only dimensions; use `fluid`",
                               model->name));
}

}  // namespace orrery::core
