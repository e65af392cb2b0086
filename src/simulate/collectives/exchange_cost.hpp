// Says what a collective or a message consists of by itself on a machine: its algorithm, steps, bytes and
// latency.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/units/rank_id.hpp"
#include "base/units/seconds.hpp"
#include "program/collective_request.hpp"
#include "simulate/collectives/message_costs.hpp"

namespace orrery::core {

struct ExchangeCost {
  std::string algorithm;  // in the words of the system or the library; empty: not known
  std::uint64_t chunks = 0;
  double phases = 1;      // phases of all chunks in the dimension
  double steps = 0;       // messages that a member sends for a chunk; for libraries, steps between nodes
  double sent_bytes = 0;  // bytes that a member sends, on average
  // `links` is the time for which its bytes keep the busiest link busy, or on graphs the slowest link on each
  // message's way. `latency` is the time that messages of one phase of a chunk take in addition, one after
  // the other. None: it is not known.
  std::optional<Seconds> links, latency;
  std::string link;  // the busiest link, in words
  // The topology's dimension that all its messages pass. It is given where each rank plans its own
  // collectives; none: they pass several.
  std::optional<std::size_t> dimension = {};
};

// Explains collectives one after the other, as the policy would carry them out. The same collective can get
// another plan the next time, as it can in a run.
class CollectiveExplainer {
 public:
  // Keeps a reference.
  explicit CollectiveExplainer(const Machine& machine) : messages_(machine) {}
  virtual ~CollectiveExplainer() = default;

  // Returns the cost of a collective to the lowest rank of a part, in one of all_dimensions(). With -1 it is
  // that in all of its communicator's dimensions.
  virtual ExchangeCost of(std::uint32_t part, const CollectiveRequest& request, int dimension) = 0;
  // Returns the cost of a message of the program's own by itself.
  virtual ExchangeCost of_message(RankId source, RankId destination, Bytes bytes);

 protected:
  MessageCosts& messages() { return messages_; }
  // Returns the cost of one message of which no time is known.
  static ExchangeCost untimed_message(Bytes bytes);

 private:
  MessageCosts messages_;
};

}  // namespace orrery::core
