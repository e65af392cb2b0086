// Copies and forwards messages: where no way leads from one NPU to another, as neither switches nor NPUs that
// forward are between them, a third NPU receives the message and then sends it on.
//
// The bytes of such a message flow twice, one time after the other, and over the links of the third NPU.
// Copying within that NPU's memory takes no time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/numbered.hpp"
#include "events/event_loop.hpp"
#include "network/carried_transport.hpp"
#include "topology/graph/routes.hpp"
#include "topology/topology.hpp"

namespace orrery {

class Relays final : public CarriedTransport, public EventHandler {
 public:
  // Keeps references to the topology, which has a graph, and to the loop.
  Relays(const Topology& topology, std::unique_ptr<Transport> carrier, EventLoop& loop);

  // A message counts as acknowledged when its second half is.
  void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered) override;
  // A message that an NPU passes on has to pass that NPU only, so it cannot be led through others.
  Time lead(Channel channel, int source, int destination, std::vector<std::uint32_t> through) override;

  // Handles the end of the first half of a message's way.
  void handle(const Event& event) override;

 private:
  struct Half {
    MessageService service;
    int relay, destination;
    Bytes bytes;
    Event delivered;
  };

  // Returns the NPU that passes messages on. None means that they need no such NPU, or that there is none.
  std::optional<int> relay_between(int source, int destination);
  std::optional<int> find_relay(NodeId source, NodeId destination);

  const NetworkGraph& graph_;
  Routes routes_;
  std::uint64_t seed_;
  std::uint16_t handler_;
  Numbered<Half> halves_;
  std::map<std::pair<int, int>, std::optional<int>> relays_;  // by ends
};

}  // namespace orrery
