// The network models that users can choose. A new one is a NetworkModelKind in a file of its own, and a line
// here.
#pragma once

#include <array>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "network/network_model.hpp"

namespace orrery::core {

// Collectives take their closed forms. Messages by themselves pass one another where the dialect lets them
// overload links or the network is a graph (analytical/), else they share links fairly (fluid/).
extern const NetworkModelKind analytical_model;
// Messages queue for links, hop by hop (link/).
extern const NetworkModelKind link_model;
// All messages, those of collectives too, share links fairly (fluid/).
extern const NetworkModelKind fluid_model;

// All messages are packets, in the buffers of switches and NICs (packet/).
extern const NetworkModelKind packet_model;
// The model of a machine without a network of its own. Users cannot choose it.
extern const NetworkModelKind library_model;

inline constexpr std::array<EnumName<NetworkModel>, 4> network_model_words{{
    {"analytical", &analytical_model},
    {"link", &link_model},
    {"fluid", &fluid_model},
    {"packet", &packet_model},
}};

// Makes the model's transport, together with everything that shares the network with the messages.
std::unique_ptr<Transport> make_transport(NetworkModel model, const TransportMachine& machine,
                                          EventLoop& loop);
// Makes the transport of messages that NPU 0 sends on behalf of all. The model has to have one.
std::unique_ptr<Transport> make_folded_transport(NetworkModel model,
                                                 std::shared_ptr<const SymmetricRoutes> routes,
                                                 const TransportMachine& machine, EventLoop& loop);

// Returns the model that is used where the user chooses none. It is `fluid` where messages are carried that
// may meet on links. A library's collectives send no such messages, and dialects that overload links have no
// such meetings on dimensions: there it is `analytical`. Whoever describes flits wants them simulated
// (`packet`).
inline NetworkModel usual_model(const Topology& topology, const Dialect& dialect, bool library) {
  if (topology.flits && !library) return &packet_model;
  if (library || (!topology.graph && dialect.overloads_links)) return &analytical_model;
  return &fluid_model;
}

// Returns the model that carries the messages of a program beside those of its collectives, and collectives
// of ranks that plan their own. With `analytical` no closed form knows which of them meet, so they share
// links, unless the dialect overloads these.
inline NetworkModel model_of_messages(NetworkModel model, const Dialect& dialect) {
  return model == &analytical_model && !dialect.overloads_links ? &fluid_model : model;
}

// The following functions return why the user has asked for `what` at `where` in vain, if that is so.
//
// Messages have no ways to choose from, because the network is no graph, or the model does not look at them.
[[nodiscard]] InputFault fault_of_routes(const Topology& topology, NetworkModel model,
                                         const SourceLocation& where, std::string_view what);
// The model does not know what links carry when.
[[nodiscard]] InputFault fault_of_link_history(const Topology& topology, NetworkModel model,
                                               const SourceLocation& where, std::string_view what);
// The model knows nothing about packets, or the network already says everything about them.
[[nodiscard]] InputFault fault_of_packets(const Topology& topology, NetworkModel model,
                                          const SourceLocation& where, std::string_view what);
// The model does not know links that are slower than others.
[[nodiscard]] InputFault fault_of_slow_links(NetworkModel model, const SourceLocation& where);

// Throws InputError at `where` when the routing is not for the topology's graph.
void require_routing(const Topology& topology, const RoutingKind* routing, const SourceLocation& where);

// Throws InputError when the model knows only dimensions, and the network is a graph.
void require_model_of(const Topology& topology, NetworkModel model);

}  // namespace orrery::core
