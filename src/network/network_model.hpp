// What a network model is: a way in which messages are carried.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/dialect.hpp"
#include "events/event_loop.hpp"
#include "network/flows/flow.hpp"
#include "network/transport.hpp"
#include "topology/slow_links.hpp"
#include "topology/topology.hpp"

namespace orrery {

struct FoldedWays;
struct HostStack;
class PacketLog;
struct PacketSettings;

// The machine that a transport runs on.
struct TransportMachine {
  const Topology& topology;
  const Dialect& dialect;
  std::vector<SlowLinks> slow_links = {};
  // Groups of NPUs of which only the first sends, while the others do the same at the same time; a model that
  // carries every message knows only those that send.
  std::vector<std::vector<std::uint32_t>> in_step = {};
  // Flows that share the network with all messages; null: none.
  std::shared_ptr<const std::vector<Flow>> background = nullptr;
  bool link_history = false;                                // is to be kept
  std::shared_ptr<const PacketSettings> packets = nullptr;  // of the model `packet`; null: the usual ones
  bool message_times = false;  // are to be kept, of the model `packet` on a graph
  // Follow the network of packets that `packet` has on a graph.
  std::vector<std::shared_ptr<PacketLog>> packet_logs = {};
  // Messages pass it at their ends; null: they pass nothing.
  std::shared_ptr<const HostStack> host_stack = nullptr;
};

struct NetworkModelKind {
  std::string_view name;          // the word by which users choose it
  std::string_view meaning = {};  // what becomes of messages, in a few words, for lists of the models
  // Messages of collectives go over the transport, too, so that all messages of all ranks are simulated and
  // may meet. Else collectives take what they take alone.
  bool carries_collectives = false;
  bool has_slow_links = false;  // on networks that are their dimensions
  // Returns whether messages of different priorities wait in different queues; null: all are alike.
  bool (*has_priorities)(const Topology& topology) = nullptr;
  // Models with more of it leave less out.
  int detail = 0;
  // Returns what coarser models do not know of the topology, in a sentence; empty: they know the same. Null:
  // always.
  std::string_view (*beyond_coarser)(const Topology& topology) = nullptr;
  // Makes the transport, which keeps a reference to the loop. Throws InputError when the topology is too
  // large for the model.
  std::unique_ptr<Transport> (*make)(const TransportMachine& machine, EventLoop& loop) = nullptr;
  // Makes the transport of messages that NPU 0 sends for all; null: the model has none.
  std::unique_ptr<Transport> (*make_folded)(std::shared_ptr<const FoldedWays> ways,
                                            EventLoop& loop) = nullptr;
  // Throws InputError when the topology is too large for the model; null: none is.
  void (*check)(const Topology& topology, const Dialect& dialect) = nullptr;
};
using NetworkModel = const NetworkModelKind*;

}  // namespace orrery
