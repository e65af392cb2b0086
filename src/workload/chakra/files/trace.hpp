// A Chakra execution trace of one rank holds what its file says, node by node
// (docs/models/execution-traces.md, Files and Dependencies).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workload/chakra/files/node_list.hpp"

namespace orrery::core::chakra {

// A tensor that a node reads or writes, for local-memory tracking.
struct Tensor {
  std::uint32_t name;  // in Trace::texts
  std::uint64_t bytes;

  bool operator==(const Tensor&) const = default;
};

struct Trace {
  NodeList nodes;                           // in the order of the file, with their names
  std::vector<std::uint64_t> parents;       // ids, of all nodes in a row, as listed; data before control
  std::vector<std::uint64_t> first_parent;  // of node i: parents[first_parent[i] .. first_parent[i + 1])
  std::vector<std::uint32_t> data_parents;  // how many of node i's parents are data dependencies
  std::vector<std::string> texts;           // names of tensors and groups, each once; texts[0] is ""
  // Few nodes have tensors, so these are kept apart, ordered by node index.
  struct NodeTensors {
    std::uint32_t node;
    std::vector<Tensor> inputs, outputs;

    bool operator==(const NodeTensors&) const = default;
  };
  std::vector<NodeTensors> tensors;
  struct NodeValues {
    std::uint32_t node;
    std::string values;  // inputs.values, of metadata nodes

    bool operator==(const NodeValues&) const = default;
  };
  std::vector<NodeValues> metadata;
  struct NodeOperation {
    std::uint32_t node;
    std::vector<std::string> words;  // words that say what it is in an execution graph, see graph_trace.hpp

    bool operator==(const NodeOperation&) const = default;
  };
  std::vector<NodeOperation> operations;
  std::vector<std::string> program;  // words about the whole program, in the metadata; see program_traces.hpp
  std::uint64_t rounded_sizes = 0;   // of tensors, which were no whole numbers of bytes

  std::span<const std::uint64_t> parents_of(std::size_t node) const {
    return std::span(parents).subspan(first_parent[node], first_parent[node + 1] - first_parent[node]);
  }

  bool operator==(const Trace&) const = default;
};

}  // namespace orrery::core::chakra
