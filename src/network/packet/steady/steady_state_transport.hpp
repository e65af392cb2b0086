// Carries messages at the rates that packets settle at, without following every packet
// (docs/models/network-packet.md, Steady state).
//
// Training repeats the same few contentions for thousands of messages. So each contention is tried once, by
// packets, and messages then flow at the rates that this has shown.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <tuple>

#include "base/containers/numbered.hpp"
#include "events/event_loop.hpp"
#include "network/fluid/flow_loop.hpp"
#include "network/packet/packet_clock.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "network/packet/steady/packet_shares.hpp"
#include "network/transport.hpp"

namespace orrery::core {

class SteadyStateTransport final : public Transport, public EventHandler {
 public:
  // Keeps references. The topology has a graph whose links do not change.
  SteadyStateTransport(const Topology& topology, std::shared_ptr<const PacketSettings> settings,
                       EventLoop& loop);

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    send_on({}, source, destination, bytes, delivered);
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) override {
    send_with({.channel = channel}, source, destination, bytes, delivered);
  }
  void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered) override;
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) override {
    return choice_->lead(channel, source, destination, std::move(through));
  }
  bool acknowledges() const override { return true; }
  std::string shortcuts() const override;
  std::size_t trials() const { return shares_.trials(); }
  // Packets count when their message is sent. Packets that are lost and sent again do not count.
  std::vector<LinkUse> links(Time now) const override;

  void handle(const Event& event) override;

 private:
  enum What : std::uint16_t { stripe_arrived, acknowledged };
  struct Route {
    SteadyRoute links;
    double bytes_per_ns = 0;  // rate that a flow alone has
    Stamp slowest = 0;        // ps that a full packet takes on the link that limits it
    Stamp back = 0;           // ps that an acknowledgement takes
    std::uint64_t messages = 0, data_bytes = 0, packets = 0;
  };
  struct Message {
    Event delivered;
    std::optional<Event> acknowledged;
    std::uint32_t stripes;  // number of stripes that have not arrived
    Stamp back;             // ps that the last acknowledgement takes
  };

  std::uint32_t route_of(int source, int destination, Channel channel, std::uint32_t stripe, int priority);
  std::uint32_t add_route(SteadyRoute links, FlowProgress::Order order);
  std::uint32_t resource_of(LinkId link);
  // Returns for how many ps a packet of that payload is under way.
  Stamp latency(const std::vector<LinkId>& links, std::uint64_t bytes) const;
  // Returns the time that a stripe takes in an empty network.
  Time stripe_alone(std::uint32_t route, std::uint64_t bytes) const;
  void start_stripe(std::uint32_t route, std::uint64_t bytes, std::uint32_t message);

  std::shared_ptr<const PacketSettings> settings_;
  const NetworkGraph& graph_;
  EventLoop& loop_;
  std::uint16_t handler_;
  PacketClock clock_;
  std::unique_ptr<RouteSelector> choice_;
  FlowLoop flows_;
  PacketShares shares_;
  std::deque<Route> routes_;                     // by the flows' number
  std::vector<std::uint32_t> resource_of_link_;  // none until a route uses the link
  // Routes of queue pairs, on which messages follow one another, and routes that messages share.
  std::map<std::tuple<int, int, std::uint32_t, std::uint32_t, int>, std::uint32_t> queue_pairs_;
  std::map<std::tuple<std::vector<LinkId>, std::vector<LinkId>, int>, std::uint32_t> shared_routes_;
  Numbered<Message> messages_;
  std::uint64_t started_ = 0;  // number of messages that have started
  std::uint32_t data_header_, ack_bytes_;
};

}  // namespace orrery::core
