// Has a plug-in carry messages through a graph, and checks that no link carries more than it can.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/containers/numbered.hpp"
#include "events/event_loop.hpp"
#include "network/graph/foreign_network_model.hpp"
#include "network/graph/graph_routes.hpp"
#include "network/transport.hpp"

namespace orrery::core {

class ForeignTransport final : public Transport, public EventHandler, private ForeignRun {
 public:
  // Keeps references to the topology, which has a graph, and to the loop. `name` is that of the model.
  ForeignTransport(std::string name, const ForeignNetworkModel::Begin& begin, const Topology& topology,
                   EventLoop& loop);

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    send_on({}, source, destination, bytes, delivered);
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) override;
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) override {
    return routes_.lead(channel, source, destination, std::move(through));
  }
  std::vector<std::string> stall() const override;
  bool has_events_of_its_own() const override { return awaited_ > 0; }
  // Throws InputError where a link has carried more than it can in this time.
  std::vector<LinkUse> links(Time now) const override;

  // Wakes the model.
  void handle(const Event& event) override;

 private:
  struct UnderWay {
    int source, destination;
    Bytes bytes;
    std::uint32_t route;
    Time earliest;  // when it may arrive
    Event delivered;
  };

  Time now() const override { return loop_.time(); }
  void deliver(std::uint64_t message) override;
  void wake_at(Time when, std::uint64_t word) override;
  [[noreturn]] void refuse(const std::string& why) const;
  // Counts what the model does in vain, so that it cannot go on for ever.
  void wake_in_vain();

  std::string name_;
  EventLoop& loop_;
  GraphRoutes routes_;
  std::uint16_t handler_;
  std::map<std::uint64_t, UnderWay> under_way_;  // by the number of the message
  std::uint64_t sent_ = 0;
  Numbered<std::uint64_t> words_;  // with which the model is to be woken
  std::uint64_t awaited_ = 0;      // number of these
  std::uint64_t in_vain_ = 0;      // times that it was woken since a message was sent or arrived
  std::unique_ptr<ForeignCarrier> carrier_;
};

}  // namespace orrery::core
