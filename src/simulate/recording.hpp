// Records what happened in a run, as flat tables. Every statistic is a query over these tables.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/dimension_use.hpp"
#include "collective/flow/chunk_records.hpp"
#include "network/latency_histogram.hpp"
#include "network/link_history.hpp"
#include "network/link_use.hpp"
#include "network/message_times.hpp"
#include "network/switch_use.hpp"
#include "program/execution_graph.hpp"
#include "program/message_pairs.hpp"
#include "topology/rank_parts.hpp"

namespace orrery::core {

class Transport;

// The time in which an operation ran. `start` is when its predecessors were complete.
struct Interval {
  Time start, end;
};

// Says what the ranks of a simulated class did.
struct ClassRecord {
  std::uint32_t part = 0;  // index in the program
  ClassId of_class;
  RankId rank;  // the lowest of the class
  // Number of ranks for which the record stands: those of the class, or all of the part if no other class of
  // the part is recorded.
  std::size_t ranks = 0;
  std::vector<Interval> operations;  // by id in the part's graph
  Time finish;                       // when the program of a rank of the class ended
  // When the last of all ranks ended for which the record stands, and the lowest of those that did so.
  Time last_finish;
  RankId last_rank;
  Time contended = {};  // by which computation took longer because of collectives beside it
};

// Says what became of the collectives of a part's lowest rank, phase by phase.
struct PhaseRecords {
  std::vector<ExecutionGraph::Id> completed;  // operations of the rank, by completion and id
  ChunkRecords chunks;
  std::vector<Bytes> payload;  // sent in collectives, per dimension of the topology
  // What collectives of known times, whose messages were not simulated here, do with each dimension of the
  // topology; empty: there are none.
  std::vector<DimensionUse> besides;
  std::size_t logical_dimensions = 0;  // dimensions of all communicators, as all_dimensions() numbers them
};

struct PartRecord {
  std::size_t lowest = 0;  // index in Recording::ranks of the class of the part's lowest rank
  // What that rank's collectives did: phase by phase, or, where ranks plan their own collectives, only what
  // these do with each dimension of the topology.
  std::variant<PhaseRecords, std::vector<DimensionUse>> collectives;
};

// Says what ranks would do if communication took no time: collectives end when a rank begins them, and
// messages when both ends are there.
struct ZeroCommunicationRun {
  // Whether it is known by simulated class of ranks; otherwise it is by part, whose ranks are alike then.
  bool by_class = false;
  std::vector<std::vector<Interval>> operations;  // by class or part, and by id in the graph
  std::vector<Time> finish;                       // by class or part: when its program would end
  // Which receive gets which message; null where messages name ranks.
  std::shared_ptr<const MessagePairs> messages = {};

  std::size_t index_of(ClassId of_class, std::uint32_t part) const {
    return by_class ? of_class.index() : part;
  }
};

struct Recording {
  RankClasses classes = RankClasses::all_distinct(0);  // classes that were simulated; rank 0 is of class 0
  std::vector<Time> finish;                            // per class: when its program ended
  // These say what classes did, by their lowest ranks: all of them, or only the first one of each part if the
  // others would take too much memory (simulate/run/run_size.hpp).
  std::vector<ClassRecord> ranks;
  std::vector<PartRecord> parts;            // by part of the program
  std::vector<LinkUse> links;               // links of the machine, the busiest first
  LinkHistory link_history;                 // without links unless the machine asks for it
  std::vector<SwitchUse> switches;          // where packets are simulated, the fullest first
  std::vector<PacketLatencies> latencies;   // for a network of flits
  std::vector<MessageClass> message_times;  // if the machine asks for them
  std::uint64_t messages = 0;               // number over all ranks, handshakes included
  std::uint64_t events = 0;                 // number of events that the simulation took
  // Says for what ranks would wait even then. None: they would wait for nothing, because all do the same or
  // send no messages.
  std::optional<ZeroCommunicationRun> without_communication;
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
  std::vector<RankId> finish_order;
  std::string shortcuts;  // says what shortcuts the network took; empty: none

  // Sets what classes did and when they ended. `operations` are those of all simulated classes, or of the
  // first one of each part.
  void set_ranks(const RankClasses& simulated_classes, const RankParts& of_program, std::vector<Time> ends,
                 std::vector<std::vector<Interval>> operations);
  // Adds what a network tells besides the totals of its links.
  void add_network(Transport& network);

  Time finish_of(RankId rank) const { return finish[classes.class_of(rank).index()]; }
  bool has_every_class() const { return ranks.size() == classes.count(); }
  // Returns what a part's lowest rank did.
  const ClassRecord& lowest_of(std::size_t part) const { return ranks[parts[part].lowest]; }
  // Returns what became of its collectives; null where they have no phases.
  const PhaseRecords* phases_of(std::size_t part) const {
    return std::get_if<PhaseRecords>(&parts[part].collectives);
  }
  // Returns what a rank did. This is for recordings that have every class.
  const std::vector<Interval>& operations_of(RankId rank) const {
    return ranks[classes.class_of(rank).index()].operations;
  }
  // Returns when the last of all programs ended.
  Time end() const;
};

}  // namespace orrery::core
