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
  // All ranks, without a look at the name.
  bool names_no_group(std::uint32_t rank, std::uint32_t number) const {
    return node(rank, number).pg_name == 0;
  }
  // "" and "0" are all ranks.
  const std::string& group_name(std::uint32_t rank, std::uint32_t number) const {
    return traces_[rank].graph->texts[node(rank, number).pg_name];
  }

  // The duration that the node states; 1 ns when it states none.
  Time stated_time(std::uint32_t rank, std::uint32_t number) const;
  // Whether the node computes by its operations and bytes, and how long. Nothing that moves no bytes is run.
  bool is_under_roofline(std::uint32_t rank, std::uint32_t number) const;
  bool has_bytes(std::uint32_t rank, std::uint32_t number) const;
  Time roofline_time(std::uint32_t rank, std::uint32_t number) const;
  // Of remote memory.
  Bytes memory_bytes(std::uint32_t rank, std::uint32_t number) const;
  MessageKey message(std::uint32_t rank, std::uint32_t number) const;
  // Whether the collective takes its stated time, without any message: a broadcast, unless it is run.
  bool takes_stated_time(std::uint32_t rank, std::uint32_t number) const;
  // Without its group and its root.
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

// How long a server of remote memory is busy, in nanoseconds; more than a Time holds for absurd sizes.
double memory_service_ns(const RemoteMemory& memory, Bytes bytes);

}  // namespace orrery
