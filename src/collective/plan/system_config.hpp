// Describes how a machine runs collectives: algorithms per dimension, chunking, queues and scheduling.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "base/units/time.hpp"
#include "collective/algorithms/algorithms.hpp"
#include "collective/library/backend.hpp"

namespace orrery::core {

// Which collective goes first: the youngest, the oldest, or the one of the lowest priority that it states,
// which only those of execution traces do.
enum class IssueOrder { lifo, fifo, by_priority };
// How an all-reduce over several dimensions runs: as an all-reduce in each, or as a reduce-scatter on the way
// in and an all-gather on the way out.
enum class AllReduceShape { baseline, local_bandwidth_aware };
enum class DimensionOrder { ascending, round_robin, themis, themis_flex };
enum class QueueOrder : std::uint8_t { fifo, alternate_kinds, smallest_first, fewest_phases_left };

struct AlgorithmChoice {
  Algorithm algorithm = &ring_algorithm;
  int window = 0;              // peers at a time, if the algorithm has a window; 0 means all
  bool whole_machine = false;  // the `one...` words: one logical dimension of all NPUs
  bool joins_rest = false;     // one logical dimension of this one and all beyond it
  // Only algorithms from files and plug-ins have the following two members. The configuration keeps what is
  // written.
  const WrittenSource* written = nullptr;
  Algorithm otherwise = nullptr;
  double switch_bytes_per_s = 0;  // algorithms in which switches add up: how fast they do; 0: no limit

  bool operator==(const AlgorithmChoice&) const = default;
};

// LogGP-style bus between NPU and memory; times in whole nanoseconds, G in ns per byte.
struct SharedBusConfig {
  int latency_ns = 0;             // L
  int overhead_ns = 0;            // o
  int gap_ns = 0;                 // g
  float gap_per_byte_ns = 0;      // G
  int local_reduction_delay = 1;  // ns per 100 bytes
};

// A library that comes with the program, such as "nccl", or a library file, which is loaded when a machine is
// built.
struct NamedLibrary {
  std::string name_or_file;
  SourceLocation where;  // place where it is named
  FileLoader load;
  std::optional<Buffers> buffers = {};  // none: where the library has them
};

struct SystemConfig {
  IssueOrder issue_order = IssueOrder::lifo;
  AllReduceShape all_reduce_shape = AllReduceShape::local_bandwidth_aware;
  // Algorithms by CollectiveKind, then by dimension. If there are fewer entries than dimensions, the
  // collective leaves the other dimensions out.
  std::array<std::vector<AlgorithmChoice>, collective_kinds> algorithms;
  std::vector<std::shared_ptr<const WrittenSource>> written;
  int active_chunks = 1;  // chunks served at once per dimension, over all its queues
  int queues_per_dimension = 1;
  Time endpoint_delay = Time::from_ns(10);    // paid before each message and after the last reception
  bool rendezvous = false;                    // 8 KiB handshake before every message
  std::optional<SharedBusConfig> shared_bus;  // replaces endpoint_delay
  SourceLocation where;                       // place of the description, for errors found while planning
  std::array<SourceLocation, collective_kinds> algorithms_where;  // place of each list that is written down
  int chunks = 1;  // preferred number of chunks of a collective
  // Library whose closed forms carry out collectives in place of all of this.
  std::optional<NamedLibrary> library;
  // Collectives run on the channels that NCCL would make of a network that is a graph, in place of
  // algorithms.
  bool channels = false;
  SourceLocation channels_where;

  // The following members count only where collectives run on the machine, in one order for all ranks
  // (OperationIssue::dataflow).
  DimensionOrder dimension_order = DimensionOrder::ascending;
  QueueOrder queue_order = QueueOrder::fifo;
  int themis_gap_denominator = 16;
  bool separate_log = true;  // 1.0's seprate-log: write the per-layer reports too

  // The following member counts only where ranks plan their own collectives (OperationIssue::slots): the rate
  // at which reductions read and write memory. 0: they cost nothing.
  double memory_gb_per_s = 0;

  // Returns the number of chunks that one queue serves at once.
  int slots() const { return (active_chunks + queues_per_dimension - 1) / queues_per_dimension; }
  const std::vector<AlgorithmChoice>& algorithms_of(CollectiveKind kind) const {
    return algorithms[static_cast<std::size_t>(kind)];
  }
  const SourceLocation& where_of(CollectiveKind kind) const {
    const SourceLocation& list = algorithms_where[static_cast<std::size_t>(kind)];
    return list.file.empty() ? where : list;
  }
  // Returns the first kind that is run by an algorithm in which switches add up.
  std::optional<CollectiveKind> first_in_network() const {
    for (std::size_t kind = 0; kind < algorithms.size(); ++kind)
      for (const AlgorithmChoice& choice : algorithms[kind])
        if (choice.algorithm->in_network) return static_cast<CollectiveKind>(kind);
    return std::nullopt;
  }
  bool adds_up_in_network() const { return first_in_network().has_value(); }
  // Returns whether there is an algorithm for a kind. Kinds with a root name one for each dimension, or one
  // for all; if they name none, they do not run.
  bool runs(CollectiveKind kind) const { return !algorithms_of(kind).empty(); }
};

}  // namespace orrery::core
