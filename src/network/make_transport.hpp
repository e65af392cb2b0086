// The transports there are, by name.
#pragma once

#include <array>
#include <memory>

#include "base/dialect.hpp"
#include "base/words.hpp"
#include "events/event_loop.hpp"
#include "network/transport.hpp"
#include "topology/topology.hpp"

namespace orrery {

enum class NetworkModel { analytical, link };

inline constexpr std::array<Word<NetworkModel>, 2> network_model_words{{
    {"analytical", NetworkModel::analytical},
    {"link", NetworkModel::link},
}};

// Keeps a reference to the loop. Throws InputError when the topology is too large for the model.
std::unique_ptr<Transport> make_transport(NetworkModel model, const Topology& topology,
                                          const Dialect& dialect, EventLoop& loop);

}  // namespace orrery
