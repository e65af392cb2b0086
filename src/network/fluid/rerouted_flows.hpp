// Messages flow through a graph as in GraphFlows, but each looks for its route when it starts, and again when
// links break or come back (docs/models/network-fluid.md).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/containers/numbered.hpp"
#include "network/fluid/channel_lines.hpp"
#include "network/fluid/flow_routes.hpp"
#include "network/graph/cut_messages.hpp"
#include "network/transport.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery {

class ReroutedFlows final : public Transport, public EventHandler {
 public:
  // Keeps references. The topology has a graph.
  ReroutedFlows(const Topology& topology, EventLoop& loop, bool link_history = false);

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    send_on({}, source, destination, bytes, delivered);
  }
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) override {
    return routes_.lead(channel, source, destination, std::move(through));
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) override;
  // Keeps a reference. Messages that no route leads to are offered to it.
  void give_cut_messages_to(CutMessages& taker) { taker_ = &taker; }
  bool has_events_of_its_own() const override { return !changes_.empty(); }
  void count(int source, int destination, Bytes bytes, std::uint64_t messages) override {
    routes_.count(source, destination, bytes, messages);
  }
  std::vector<LinkUse> links(Time) const override { return routes_.links(flow_routes_.bytes_left()); }
  LinkHistory link_history() override { return flow_routes_.history(); }

  void handle(const Event& event) override;

 private:
  enum What : std::uint16_t { changes, left };
  struct Message {
    int source, destination;
    Channel channel;
    Bytes bytes;
    Time sent;
    Event delivered;
    std::uint32_t route = 0;  // known once it has started
  };

  void start(std::uint32_t message, std::uint32_t route);
  void conclude(const Message& message);
  std::optional<std::uint32_t> route_of(const Message& message);
  // Starts a message if there is one or, where it is given away, the one that waits behind it.
  void start_next(std::optional<std::uint32_t> message);
  // Gives away what is left of a message to which no route leads. Throws InputError where nobody takes it.
  // Returns the message that waits behind it.
  std::optional<std::uint32_t> give_away(std::uint32_t message, Bytes rest);
  void change_links();
  void find_routes_anew();

  EventLoop& loop_;
  CutMessages* taker_ = nullptr;
  std::uint16_t handler_;
  FlowLoop flows_;
  GraphRoutes routes_;
  FlowRoutes flow_routes_;
  Numbered<Message> messages_;
  ChannelLines lines_;
  std::vector<std::uint32_t> message_of_flow_;
  std::span<const LinkChange> changes_;
  std::size_t next_change_ = 0;
};

}  // namespace orrery
