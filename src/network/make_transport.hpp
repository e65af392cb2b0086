// The one place that chooses how messages are carried.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/dialect.hpp"
#include "base/words.hpp"
#include "events/event_loop.hpp"
#include "network/transport.hpp"
#include "topology/slow_links.hpp"
#include "topology/topology.hpp"

namespace orrery {

enum class NetworkModel {
  analytical,
  link,
  library,  // of machines without a network of their own: messages take what the library's sends take
};

// The words by which users choose a model.
inline constexpr std::array<Word<NetworkModel>, 2> network_model_words{{
    {"analytical", NetworkModel::analytical},
    {"link", NetworkModel::link},
}};

// The machine that a transport runs on.
struct TransportMachine {
  const Topology& topology;
  const Dialect& dialect;
  std::vector<SlowLinks> slow_links = {};
  // Groups of NPUs of which only the first sends, while the others do the same at the same time; a link model
  // knows only those that send.
  std::vector<std::vector<std::uint32_t>> in_step = {};
};

// Keeps a reference to the loop. `analytical` messages share links fairly, or pass one another where the
// dialect lets them overload links; then links are not slow. Throws InputError when the topology is too large
// for the model.
std::unique_ptr<Transport> make_transport(NetworkModel model, const TransportMachine& machine,
                                          EventLoop& loop);

}  // namespace orrery
