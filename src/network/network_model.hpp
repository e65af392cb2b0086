// A network model is a way in which messages are carried.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/dialect.hpp"
#include "base/units/rank_id.hpp"
#include "events/event_loop.hpp"
#include "network/symmetry.hpp"
#include "network/transport.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

struct SymmetricRoutes;
struct NetworkSetup;
class PacketLog;
struct PacketSettings;

// The machine that a transport runs on. The setup's own model need not be the one that makes the transport.
struct TransportMachine {
  const Topology& topology;
  const Dialect& dialect;
  const NetworkSetup& network;
  // Groups of NPUs in which only the first sends, while the others do the same at the same time. A model that
  // carries every message knows only the NPUs that send.
  std::vector<std::vector<RankId>> in_step = {};
};

struct NetworkModelKind {
  std::string_view name;          // the word by which users choose it
  std::string_view meaning = {};  // what happens to messages, in a few words, for lists of the models
  // If true, messages of collectives go over the transport, too, so that all messages of all ranks are
  // simulated and may meet. Otherwise collectives take the time that they take alone.
  bool carries_collectives = false;
  // Messages never meet, because nobody describes their links: they take the times of NetworkSetup::sends.
  bool has_known_times = false;
  bool has_slow_links = false;    // it knows slow links on networks that are described by dimensions
  bool has_history = false;       // it knows what links carry when
  bool reaches_switches = false;  // messages may begin and end at switches, too
  Symmetry symmetry = Symmetry::unclassified;
  // Returns whether messages of different priorities wait in different queues. Null: all messages are alike.
  bool (*has_priorities)(const Topology& topology) = nullptr;
  // Returns whether what a message takes depends on messages that have arrived before it. Null: it does not.
  bool (*remembers)(const PacketSettings* packets) = nullptr;
  // Models with more detail leave less out.
  int detail = 0;
  // On graphs, it counts messages that are not sent in what links have carried.
  bool counts_messages = false;
  // Returns what coarser models do not know about the topology, in a sentence; it is empty if they know the
  // same. Null: they always know the same.
  std::string_view (*beyond_coarser)(const Topology& topology) = nullptr;
  // Makes the transport, which keeps a reference to the loop. Throws InputError when the topology is too
  // large for the model.
  std::function<std::unique_ptr<Transport>(const TransportMachine& machine, EventLoop& loop)> make = nullptr;
  // Makes the transport of messages that NPU 0 sends on behalf of all. Null: the model has no such transport.
  std::unique_ptr<Transport> (*make_folded)(std::shared_ptr<const SymmetricRoutes> routes,
                                            EventLoop& loop) = nullptr;
  // Throws InputError when the topology is too large for the model. Null: no topology is.
  std::function<void(const Topology& topology, const Dialect& dialect)> check = nullptr;
};
using NetworkModel = const NetworkModelKind*;

}  // namespace orrery::core
