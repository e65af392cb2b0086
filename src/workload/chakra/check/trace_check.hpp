// Counts the contents of a trace, and finds errors in it or in a set of traces.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "workload/chakra/check/trace_doubts.hpp"
#include "workload/chakra/dependencies/device_order.hpp"
#include "workload/chakra/dependencies/trace_index.hpp"
#include "workload/chakra/files/trace.hpp"

namespace orrery::core::chakra {

struct CollectiveTotal {
  CommType type;
  std::string process_group;  // "": all ranks
  std::uint64_t nodes = 0;
  std::uint64_t bytes = 0;

  bool operator==(const CollectiveTotal&) const = default;
};

struct TraceCheck {
  // Counts nodes as the file has them, so several with the same id count as several.
  std::array<std::uint64_t, 8> nodes_of_type{};  // by NodeType
  std::vector<CollectiveTotal> collectives;      // by type, then group; without nodes that lack comm_type
  // The longest ways along dependencies: one by duration and, perhaps another one, by number of nodes. They
  // leave out nodes that are on a cycle or wait for one.
  std::uint64_t longest_path_us = 0;
  std::uint64_t longest_path_nodes = 0;
  std::vector<TraceIndex::Missing> missing_parents;  // count as done
  DeviceOrder order;
  std::vector<std::vector<std::uint64_t>> cycles;  // ids; see find_cycles()
  std::vector<std::uint64_t> repeated_ids;
  std::vector<std::uint64_t> too_large;  // ids of nodes whose size no run takes
  ComputeTimes compute;

  bool can_run() const { return cycles.empty(); }
};

// Checks a trace. Sums that do not fit 64 bits end at the largest number that does. If the trace need not be
// kept, this takes less memory.
TraceCheck check_trace(Trace trace);

// Matches the sends and receives of the traces of all ranks. The i-th send of a message meets its i-th
// receive.
class MessageCheck {
 public:
  struct Message {
    std::uint64_t tag;  // modulo 500000000
    RankId source, destination;
    std::uint64_t bytes;

    auto operator<=>(const Message&) const = default;
  };
  struct Unmatched {
    Message message;
    std::uint64_t sends, receives;  // numbers, which are not equal

    bool operator==(const Unmatched&) const = default;
  };
  struct Incomplete {
    RankId rank;
    std::uint64_t node;  // id

    bool operator==(const Incomplete&) const = default;
  };

  void add(RankId rank, const NodeList& nodes);
  // Adds what another check has counted for other ranks.
  void add(MessageCheck other);

  // Returns the messages with unequal numbers of sends and receives, ordered by message.
  std::vector<Unmatched> unmatched() const;
  // Returns the nodes without a tag, a size or the other rank. They are not counted above.
  const std::vector<Incomplete>& incomplete() const { return incomplete_; }

 private:
  struct Count {
    std::uint64_t sends = 0, receives = 0;
  };
  std::map<Message, Count> messages_;
  std::vector<Incomplete> incomplete_;
};

}  // namespace orrery::core::chakra
