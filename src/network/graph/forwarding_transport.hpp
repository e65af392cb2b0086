// Copies and forwards messages: where no route leads from one NPU to another, as neither switches nor NPUs
// that forward are between them, a third NPU receives the message and then sends it on, perhaps to another
// one that does so. Or NPUs do that wherever the route over them is shorter.
//
// The bytes of such a message flow several times, one time after the other, and over the links of the NPUs
// between. Copying within the memory of an NPU takes no time.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "base/containers/numbered.hpp"
#include "events/event_loop.hpp"
#include "network/carried_transport.hpp"
#include "network/graph/cut_messages.hpp"
#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/relays/relay_search.hpp"
#include "topology/graph/routing/routes.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

class ForwardingTransport final : public CarriedTransport, public EventHandler, public CutMessages {
 public:
  // Keeps references to the topology, which has a graph, and to the loop.
  ForwardingTransport(const Topology& topology, std::unique_ptr<Transport> carrier, EventLoop& loop);

  // A message counts as acknowledged when its last part is.
  void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered) override;
  // Messages that are led through nodes are not passed on. Those that are not have to pass the NPUs that pass
  // them on.
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) override;

  [[nodiscard]] bool take(const MessageService& service, int source, int destination, Bytes rest,
                          const Event& delivered) override;

  // Handles the arrival of a message at an NPU that passes it on.
  void handle(const Event& event) override;

 private:
  struct Rest {
    MessageService service;
    int relay, destination;
    Bytes bytes;
    Event delivered;
  };

  // Takes note of the changes until now.
  void change_links();
  // Returns whether nothing but NPUs could lead a message on to its destination or, where messages are
  // acknowledged, the acknowledgement back.
  bool is_cut(NodeId source, NodeId destination);
  // Returns the NPU that a message is sent to first, as links are now. None means that it needs no such NPU,
  // or that there is none.
  std::optional<int> relay_between(int source, int destination);
  void send_over(int relay, const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered);

  const EventLoop& loop_;
  const NetworkGraph& graph_;
  Relaying relaying_;
  Routes routes_;
  RelaySearch search_;
  std::uint16_t handler_;
  Numbered<Rest> rests_;
  std::set<std::tuple<Channel, int, int>> led_;  // channels that are, and their ends
  std::span<const LinkChange> changes_;          // that are still to come
  std::vector<bool> broken_;                     // by link; empty: links do not change
};

}  // namespace orrery::core
