// Messages flow through a graph as in GraphFlows, but each looks for its route when it starts, and again when
// links break or come back (docs/models/network-fluid.md).
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/containers/numbered.hpp"
#include "base/random.hpp"
#include "network/fluid/flow_routes.hpp"
#include "network/graph/cut_messages.hpp"
#include "network/transport.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery::core {

// Keeps messages of a channel one behind the other, whatever routes they take.
class ChannelLines {
 public:
  // Returns whether a message may start at once. If not, it waits until leave() returns it. Messages of
  // channels that are for one message never wait.
  [[nodiscard]] bool enter(int source, int destination, Channel channel, std::uint32_t message) {
    if (channel.for_one) return true;
    Line& line = lines_[{source, destination, channel.number}];
    if (line.is_busy) line.waiting.push_back(message);
    return !std::exchange(line.is_busy, true);
  }
  // The last byte of the message that started has left. Returns the one that starts now.
  std::optional<std::uint32_t> leave(int source, int destination, Channel channel) {
    if (channel.for_one) return std::nullopt;
    Line& line = lines_.find({source, destination, channel.number})->second;
    line.is_busy = !line.waiting.empty();
    if (!line.is_busy) return std::nullopt;
    const std::uint32_t next = line.waiting.front();
    line.waiting.pop_front();
    return next;
  }

 private:
  struct Ends {
    int source, destination;
    std::uint32_t number;  // of the channel
    bool operator==(const Ends&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Ends& ends) const {
      const auto source = static_cast<std::uint32_t>(ends.source);
      const std::uint64_t pair = std::uint64_t{source} << 32 | static_cast<std::uint32_t>(ends.destination);
      return Random(pair).next() ^ ends.number;
    }
  };
  // Lines stay when they are empty, because most channels have another message soon.
  struct Line {
    bool is_busy = false;
    std::list<std::uint32_t> waiting;
  };

  std::unordered_map<Ends, Line, Hash> lines_;
};

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

}  // namespace orrery::core
