// Defines how messages travel in simulations that model each one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/unreachable.hpp"
#include "base/units/bytes.hpp"
#include "events/event.hpp"
#include "network/latency_histogram.hpp"
#include "network/link_history.hpp"
#include "network/link_use.hpp"
#include "network/message_times.hpp"
#include "network/switch_use.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// Where several routes lead from one NPU to another, messages of a channel go the same way.
struct Channel {
  std::uint32_t number = 0;
  // The channel is for this message only, which waits for no other. Otherwise messages of a channel are sent
  // one behind the other.
  bool for_one = false;
  // The owner numbers the channel. Channels of several owners are different ones, and their routes depend on
  // nothing that another owner does.
  std::uint64_t owner = 0;

  auto operator<=>(const Channel&) const = default;
};

// What became of a message, where networks of packets know it.
struct MessageFacts {
  std::optional<Bytes> resent;  // bytes that its sender sent again
  std::optional<Time> alone;    // time that it takes in an empty network
};

// The way in which a message is to be carried, for networks that make a difference.
struct MessageService {
  Channel channel = {};
  std::optional<std::uint32_t> vnet = {};  // on a network of flits; none: the network chooses
  std::optional<int> priority = {};        // none: the priority of all messages
  std::optional<Event> acknowledged = {};  // dispatched when the sender knows of the delivery
  MessageFacts* facts = nullptr;           // filled in by then, if the network knows them
};

// Carries messages between NPUs, each from its send to its delivery.
class Transport {
 public:
  virtual ~Transport() = default;

  // Dispatches `delivered` when the last byte has arrived. Source and destination differ.
  virtual void send(int source, int destination, Bytes bytes, const Event& delivered) = 0;
  // Does the same for a message of a channel. send() uses channel 0. A network without channels ignores them.
  virtual void send_on(Channel /*channel*/, int source, int destination, Bytes bytes,
                       const Event& delivered) {
    send(source, destination, bytes, delivered);
  }

  // Does the same with a service. Networks without acknowledgements dispatch nothing but `delivered`.
  virtual void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                         const Event& delivered) {
    send_on(service.channel, source, destination, bytes, delivered);
  }
  // Returns whether receivers acknowledge messages.
  virtual bool acknowledges() const { return false; }
  // Says what messages wait for that never arrive, in lines. There are none where no message waits, or where
  // the network does not know.
  virtual std::vector<std::string> stall() const { return {}; }

  // Says what it did instead of carrying every message by itself. It is empty where it did nothing else.
  virtual std::string shortcuts() const { return {}; }

  // Makes messages of a channel between two NPUs pass these nodes of a graph, such as NICs, from now on.
  // Returns the latency of their route. Other networks ignore it.
  virtual Time lead(Channel /*channel*/, int /*source*/, int /*destination*/,
                    std::vector<NodeId> /*through*/) {
    return Time();
  }

  // Counts messages that nobody simulates in what links have carried, as if each had been sent. They have
  // only one way, whatever their channel. Only networks of models that count such messages are asked.
  virtual void count(int /*source*/, int /*destination*/, Bytes /*bytes*/, std::uint64_t /*messages*/) {
    unreachable("the network's model counts no messages that are not sent");
  }

  // Returns whether events are to come that nobody waits for, so that the loop would go on when everything
  // else has ended.
  virtual bool has_events_of_its_own() const { return false; }

  // Returns what the links have carried until now, the busiest first. `now` must be the loop's time or, when
  // the run is over, its end.
  virtual std::vector<LinkUse> links(Time now) const = 0;
  // Returns what the links have carried when, if the machine asked for that and the network knows it.
  virtual LinkHistory link_history() { return {}; }
  // Returns what nodes that pass on packets have held, the fullest first; empty: the network does not know.
  virtual std::vector<SwitchUse> switches() const { return {}; }
  // Returns the times that messages took, if the machine asked for that; empty: the network does not know.
  virtual std::vector<MessageClass> message_times() const { return {}; }
  // Returns for how long packets were under way; empty: the network does not know.
  virtual std::vector<PacketLatencies> latencies() const { return {}; }
};

}  // namespace orrery::core
