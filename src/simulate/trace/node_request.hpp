// Checks what a node of a trace asks for (docs/models/execution-traces.md, Node types).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/time.hpp"
#include "collective/streams/messenger.hpp"
#include "collective/streams/stream_config.hpp"
#include "simulate/trace/trace_machine.hpp"

namespace orrery {

// Nodes are named by their rank and their number in its graph. Everything but what only looks throws an
// InputError that names the file and the node when the node cannot be run.
class NodeRequests {
 public:
  // Keeps references.
  NodeRequests(const TraceMachine& machine, const std::vector<RankTrace>& traces);

  chakra::Node node(std::uint32_t rank, std::uint32_t number) const { return (*nodes_[rank])[number]; }
  chakra::NodeType type(std::uint32_t rank, std::uint32_t number) const { return nodes_[rank]->type(number); }
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(traces_.size()); }
  // Returns whether the node names no group, so that it means all ranks; cheaper than group_name().
  bool names_no_group(std::uint32_t rank, std::uint32_t number) const {
    return node(rank, number).pg_name == 0;
  }
  // Returns the name of the node's group; "" and "0" mean all ranks.
  const std::string& group_name(std::uint32_t rank, std::uint32_t number) const {
    return traces_[rank].graph->texts[node(rank, number).pg_name];
  }

  // Returns the duration that the node states; 1 ns when it states none.
  Time stated_time(std::uint32_t rank, std::uint32_t number) const;
  // Roofline: is_under_roofline() returns whether the node's duration follows from its operations and bytes,
  // and roofline_time() that duration. A node that moves no bytes is not run.
  bool is_under_roofline(std::uint32_t rank, std::uint32_t number) const;
  bool has_bytes(std::uint32_t rank, std::uint32_t number) const;
  Time roofline_time(std::uint32_t rank, std::uint32_t number) const;
  // Returns the bytes that the node moves from or to remote memory.
  Bytes memory_bytes(std::uint32_t rank, std::uint32_t number) const;
  MessageKey message(std::uint32_t rank, std::uint32_t number) const;
  // Returns whether the collective takes its stated time, without any message: a broadcast, unless it is run.
  bool takes_stated_time(std::uint32_t rank, std::uint32_t number) const;
  // Returns the request of a collective, without its group and its root.
  StreamRequest collective(std::uint32_t rank, std::uint32_t number) const;

  [[noreturn]] void reject(std::uint32_t rank, std::uint32_t number, const std::string& what) const;

 private:
  void require(std::uint32_t rank, std::uint32_t number, chakra::Attribute attribute, const char* name) const;
  void require_gpu(std::uint32_t rank, std::uint32_t number) const;
  void choose_kind(std::uint32_t rank, std::uint32_t number, StreamRequest& request) const;
  Bytes checked_bytes(std::uint32_t rank, std::uint32_t number, std::uint64_t bytes, const char* name) const;

  const TraceMachine& machine_;
  const std::vector<RankTrace>& traces_;
  std::vector<const chakra::NodeList*> nodes_;  // by rank
};

// Returns how long a server of remote memory is busy, in nanoseconds; absurd sizes give more than a Time
// holds.
double memory_service_ns(const RemoteMemory& memory, Bytes bytes);

}  // namespace orrery
