// Records what happened in a run, as flat tables. Every statistic is a query over these tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collective/chunk_records.hpp"
#include "collective/dimension_use.hpp"
#include "network/latency_histogram.hpp"
#include "network/link_history.hpp"
#include "network/link_use.hpp"
#include "network/message_times.hpp"
#include "network/switch_use.hpp"
#include "program/execution_graph.hpp"
#include "topology/rank_classes.hpp"

namespace orrery {

class Transport;

// The time in which an operation ran. `start` is when its predecessors were complete.
struct Interval {
  Time start, end;
};

// What happened to the lowest rank of a part, which stands for the others.
struct PartRecording {
  std::vector<Interval> operations;           // by id in the graph
  std::vector<ExecutionGraph::Id> completed;  // operations, by completion and id
  ChunkRecords chunks;
  std::vector<Bytes> payload;  // sent in collectives, per dimension of the topology
  // What collectives of known times, whose messages were not simulated here, do with each dimension of the
  // topology; empty: there are none.
  std::vector<DimensionUse> besides;
  Time finish;                         // when its program ended
  double slowdown = 1;                 // factor on its compute times
  std::size_t logical_dimensions = 0;  // dimensions of all communicators, as all_dimensions() numbers them
};

// What ranks would do if communication took no time: collectives end when a rank begins them, and messages
// when both ends are there.
struct FreeRun {
  // Whether it is known by simulated class of ranks; otherwise it is by part, whose ranks are alike then.
  bool by_class = false;
  std::vector<std::vector<Interval>> operations;  // by class or part, and by id in the graph
  std::vector<Time> finish;                       // by class or part: when its program would end

  std::size_t index_of(std::uint32_t simulated, std::uint32_t part) const {
    return by_class ? simulated : part;
  }
};

struct Recording {
  // Empty where ranks issue in slots: there every class is recorded instead.
  std::vector<PartRecording> parts;
  RankClasses classes = RankClasses::all_distinct(0);  // classes that were simulated; rank 0 is of class 0
  std::vector<Time> finish;                            // per class: when its program ended
  // By class and operation: the times at which the class did what its part's graph says. It is empty unless
  // the machine asks for it, ranks issue in slots, or ranks of one part differ (simulate/run_size.hpp).
  std::vector<std::vector<Interval>> of_classes;
  // Where ranks issue in slots and plan their own collectives: what the lowest rank of each part does with
  // each dimension of the topology. Elsewhere the records of chunks tell it.
  std::vector<std::vector<DimensionUse>> dimension_uses;
  std::vector<LinkUse> links;               // links of the machine, the busiest first
  LinkHistory link_history;                 // without links unless the machine asks for it
  std::vector<SwitchUse> switches;          // where packets are simulated, the fullest first
  std::vector<PacketLatencies> latencies;   // for a network of flits
  std::vector<MessageClass> message_times;  // if the machine asks for them
  std::uint64_t messages = 0;               // number over all ranks, handshakes included
  std::uint64_t events = 0;                 // number of events that the simulation took
  // Says for what ranks would wait even then. None: all ranks do the same, so that they would wait for
  // nothing.
  std::optional<FreeRun> without_communication;
  bool folded = false;
  bool awaits_receivers = false;  // messages are sent when their receivers are there (rendezvous)
  // The run is folded, and chunks that end phases together move on in the order in which they started.
  bool ties_by_start = false;
  std::string not_folded_because;  // the reason, if it was not folded
  bool phases_isolated =
      false;  // it was folded where messages of one phase may meet, but those of two do not
  // Where ranks issue in slots: says in words what was not simulated message by message, or why everything
  // was.
  std::string simulated;
  // Where ranks issue in slots: ranks in the order in which they end, within an instant, too.
  std::vector<std::uint32_t> finish_order;
  std::string shortcuts;  // says what shortcuts the network took; empty: none

  // Adds what a network tells besides the totals of its links.
  void add_network(Transport& network);

  const PartRecording& first() const { return parts.front(); }
  Time finish_of(std::uint32_t rank) const { return finish[classes.class_of(rank)]; }
  // Returns when a rank did what. This is for machines that record every class.
  const std::vector<Interval>& operations_of(std::uint32_t rank) const {
    return of_classes[classes.class_of(rank)];
  }
  // Returns when the last of all programs ended.
  Time end() const;
};

}  // namespace orrery
