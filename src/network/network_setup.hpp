// Holds what a machine's network is set to, besides its topology: who carries messages, what else is on the
// links, and what is recorded. It travels whole from whoever reads it to the transports.
#pragma once

#include <memory>
#include <vector>

#include "network/known_sends.hpp"
#include "network/network_models.hpp"
#include "network/network_option.hpp"
#include "topology/slow_links.hpp"

namespace orrery::core {

// simulate/folding/symmetry.cpp says of every member whether ranks may still be simulated on behalf of
// others; a new member is not compiled before it is listed there.
struct NetworkSetup {
  NetworkModel model = &analytical_model;
  std::shared_ptr<const PacketSettings> packets = nullptr;  // of the model `packet`; null: the usual ones
  std::shared_ptr<const SendTimes> sends = nullptr;         // of the model `library`, which needs them
  std::vector<SlowLinks> slow_links = {};
  std::vector<SharedOption> options = {};  // in the order of network_option_kinds
  bool link_history = false;               // whether to record what links carry when
  bool message_times = false;  // whether to record what messages took, with the model `packet` on a graph
  // Logs that follow the network of packets which `packet` has on a graph.
  std::vector<std::shared_ptr<PacketLog>> packet_logs = {};
};

}  // namespace orrery::core
