// Network models of one's own: when messages arrive. This interface is an experiment: it may change with any
// version of Orrery, and nothing warns of that but the number of the interface of plug-ins. The whole of
// a model is examples/plugins/circuits.cpp.
//
//   namespace model = orrery::experimental;
//   class Alone : public model::NetworkModel {
//     std::unique_ptr<model::MessageCarrier> begin(const model::NetworkFacts& network,
//                                                  model::NetworkRun& run) const override { ... }
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "orrery/time.hpp"

namespace orrery::experimental {

// A link, which leads one way. Its place in the list is its number.
struct NetworkLink {
  std::size_t from = 0, to = 0;  // numbers of nodes; NPUs come first
  double bandwidth = 0;          // bytes per second
  Time latency = {};
};

// The network of a run.
struct NetworkFacts {
  std::size_t npus = 0, nodes = 0;
  std::vector<NetworkLink> links;
};

// A link of a route, and the share of the message that goes over it: less than 1 where links are striped.
struct RoutePart {
  std::size_t link = 0;
  double share = 1;
};

// A message that an NPU sends to another one. It lives as long as the call that it is handed to.
struct NetworkMessage {
  std::uint64_t number = 0;  // counts from 0 in the order in which messages are sent
  std::size_t source = 0, destination = 0;
  std::uint64_t bytes = 0;
  std::vector<RoutePart> route;  // from the source on, as the routing of the run has chosen it
  Time alone = {};               // that it takes in an empty network, which is the least that it may take
};

// This is the run whose messages a model carries. The model may ask it only while it is called itself.
class NetworkRun {
 public:
  // Returns the present.
  virtual Time now() const = 0;
  // The message with that number arrives now. It must be under way, and must have been for as long as it
  // takes in an empty network.
  virtual void deliver(std::uint64_t message) = 0;
  // Has MessageCarrier::wake() called with the word at that time, which must not be in the past. What is to
  // happen at the same time happens in the order in which it was asked for.
  virtual void wake_at(Time when, std::uint64_t word) = 0;

 protected:
  ~NetworkRun() = default;
};

// Carries the messages of one run, in one thread. What its functions throw ends the run as an error.
class MessageCarrier {
 public:
  virtual ~MessageCarrier() = default;
  // An NPU sends a message now. Sooner or later it has to be delivered; a run that waits for one that never
  // is ends with an error that names it.
  virtual void send(const NetworkMessage& message) = 0;
  // The time has come that was asked for.
  virtual void wake(std::uint64_t word) = 0;
};

// Makes what carries messages. A user asks for it by `network-model: NAME`, on a network that is a graph
// whose links do not change during the run. Every message of every rank is handed to it: Orrery cannot know
// which of them it treats alike. Several threads may use one.
class NetworkModel {
 public:
  virtual ~NetworkModel() = default;
  // Never returns null. What is returned may keep both references. A run in which a link carries more than
  // its bandwidth allows ends with an error.
  virtual std::unique_ptr<MessageCarrier> begin(const NetworkFacts& network, NetworkRun& run) const = 0;
};

}  // namespace orrery::experimental
