// The transports there are, by name.
#pragma once

#include <memory>

#include "base/dialect.hpp"
#include "events/event_loop.hpp"
#include "network/transport.hpp"
#include "topology/topology.hpp"

namespace orrery {

enum class NetworkModel { analytical, link };

// Keeps a reference to the loop. Throws InputError when the topology is too large for the model.
std::unique_ptr<Transport> make_transport(NetworkModel model, const Topology& topology,
                                          const Dialect& dialect, EventLoop& loop);

}  // namespace orrery
