// A network model of a plug-in, which is found by its name among the extensions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/extensions.hpp"
#include "base/units/bytes.hpp"
#include "base/units/time.hpp"
#include "network/network_model.hpp"
#include "topology/graph/routing/routes.hpp"

namespace orrery::core {

struct ForeignMessage {
  std::uint64_t number = 0;
  int source = 0, destination = 0;
  Bytes bytes;
  const Route& route;
  Time alone;  // that it takes in an empty network
};

// This is the run whose messages a model carries. Every function throws InputError where the model asks for
// what cannot be.
class ForeignRun {
 public:
  virtual Time now() const = 0;
  // A message that was sent arrives now.
  virtual void deliver(std::uint64_t message) = 0;
  // Calls wake() with the word at that time.
  virtual void wake_at(Time when, std::uint64_t word) = 0;

 protected:
  ~ForeignRun() = default;
};

// Carries the messages of one run. May throw InputError.
class ForeignCarrier {
 public:
  virtual ~ForeignCarrier() = default;
  virtual void send(const ForeignMessage& message) = 0;
  virtual void wake(std::uint64_t word) = 0;
};

class ForeignNetworkModel {
 public:
  // Makes what carries the messages of a run, never null. It may keep the references.
  using Begin = std::function<std::unique_ptr<ForeignCarrier>(const NetworkGraph& graph, ForeignRun& run)>;

  ForeignNetworkModel(std::string name, Begin begin);
  ForeignNetworkModel(const ForeignNetworkModel&) = delete;
  ForeignNetworkModel& operator=(const ForeignNetworkModel&) = delete;

  // Returns the kind of model that users choose by its name, which lives as long as this.
  NetworkModel kind() const { return &kind_; }

 private:
  std::string name_;
  Begin begin_;
  NetworkModelKind kind_;
};

// A registry holds such pointers.
using ForeignNetworkModelEntry = std::shared_ptr<const ForeignNetworkModel>;

// Returns the network model of a word, which is one of Orrery's or of a plug-in's; null where it is neither.
// Those of plug-ins live as long as the extensions.
NetworkModel find_network_model(std::string_view word, const Extensions& extensions);
// Returns all words of network models.
std::vector<std::string_view> all_network_model_words(const Extensions& extensions);

}  // namespace orrery::core
