// The order in which a device did the nodes of a recorded trace.
//
// Converters of profiles keep what the host did when, and which operator of the host launched a node of the
// device, but often not which nodes of the device wait for each other.
#pragma once

#include <cstdint>
#include <span>

#include "workload/chakra/dependencies/trace_index.hpp"
#include "workload/chakra/files/trace.hpp"

namespace orrery::core::chakra {

// How much of the order of a device's nodes the dependencies tell. Metadata is no node of a device.
struct DeviceOrder {
  std::uint64_t nodes = 0;                            // of the device
  std::uint64_t without_successor = 0;                // no other node of the device comes after these
  std::uint64_t collectives_without_predecessor = 0;  // nor before these
  std::uint64_t collectives_too_early = 0;            // of these, they were recorded behind other nodes
  bool has_host = false;                              // there are operators of the host
  // These are known where nodes lack successors. Nodes name streams other than 0, and say when they began.
  bool names_streams = false, has_starts = false;

  // Few computations may well run side by side.
  static constexpr std::uint64_t few_nodes = 3;
  bool lacks_successors() const {
    const bool tells = nodes > few_nodes || (nodes > 1 && collectives_without_predecessor > 0);
    return tells && 2 * without_successor > nodes;
  }
  // Returns whether the trace is a recording, of whose order more than half is missing.
  bool is_lost() const { return lacks_successors() && (names_streams || has_starts || has_host); }
  bool operator==(const DeviceOrder&) const = default;
};

// `order` has the positions of nodes with parents before their children, as in_order_of_dependencies()
// returns them. Nodes that it leaves out are not judged.
DeviceOrder device_order(const Trace& trace, const TraceIndex& index, std::span<const std::uint32_t> order);

// What came of chaining. The recorded order of two nodes that contradicts dependencies is not kept.
struct ChainedStreams {
  std::uint64_t edges = 0;                              // between neighbours in a stream
  std::uint64_t with_starts = 0;                        // of these, the two nodes' start times differ
  std::uint64_t contradictions = 0;                     // nodes that come earlier than they were recorded
  std::uint64_t example_before = 0, example_after = 0;  // ids of the first two, as they are chained now

  bool operator==(const ChainedStreams&) const = default;
};

// Has every node of the device wait for the one before it in its stream, by the recorded start times and,
// where these are equal or missing, by id. `order` has all nodes. It stays valid only as a list of all of
// them.
ChainedStreams chain_streams(const Trace& trace, TraceIndex& index, std::span<const std::uint32_t> order);

}  // namespace orrery::core::chakra
