// A Chakra execution trace of one rank: what its file says, node by node. (spec: ASTRA-sim 2, sections 2 and
// 3)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orrery::chakra {

// Numbers as in the file.
enum class NodeType : std::uint8_t {
  invalid,
  metadata,
  memory_load,
  memory_store,
  compute,
  send,
  receive,
  collective
};
enum class CommType : std::uint8_t {
  all_reduce,
  reduce,
  all_gather,
  gather,
  scatter,
  broadcast,
  all_to_all,
  reduce_scatter,
  reduce_scatter_block,
  barrier
};

// Which attributes a node has, as bits of Node::has.
enum Attribute : std::uint16_t {
  has_num_ops = 1,
  has_tensor_size = 2,
  has_comm_type = 4,
  has_comm_size = 8,
  has_comm_priority = 16,
  has_comm_src = 32,
  has_comm_dst = 64,
  has_comm_tag = 128,
  has_pg_name = 256,
  has_involved_dims = 512,
  has_tensors = 1024,  // inputs and outputs, see Trace::tensors
  has_duration_ps = 2048,
  has_comm_root = 4096,
};

struct Node {
  std::uint64_t id = 0;
  std::uint64_t duration_us = 0;
  std::uint64_t duration_ps = 0;  // the same more exactly; only Orrery's own traces have it
  std::uint64_t num_ops = 0;
  std::uint64_t tensor_size = 0;  // bytes
  std::uint64_t comm_size = 0;    // bytes
  std::uint32_t comm_src = 0, comm_dst = 0;
  std::uint64_t comm_tag = 0;
  std::uint32_t comm_root = 0;  // rank of the machine
  std::int32_t comm_priority = 0;
  std::uint16_t has = 0;  // Attribute bits
  NodeType type = NodeType::invalid;
  CommType comm_type = CommType::all_reduce;
  bool on_cpu = false;
  std::uint8_t involved_count = 0;  // entries of involved_dim
  std::uint16_t involved_dims = 0;  // bit d: entry d
  std::uint32_t name = 0;           // in Trace::texts
  std::uint32_t pg_name = 0;        // in Trace::texts; "" when absent

  bool operator==(const Node&) const = default;
};

// A tensor that a node reads or writes, for local-memory tracking.
struct Tensor {
  std::uint32_t name;  // in Trace::texts
  std::uint64_t bytes;

  bool operator==(const Tensor&) const = default;
};

struct Trace {
  std::vector<Node> nodes;                  // in the order of the file
  std::vector<std::uint64_t> parents;       // ids, of all nodes in a row, as listed; data before control
  std::vector<std::uint64_t> first_parent;  // of node i: parents[first_parent[i] .. first_parent[i + 1])
  std::vector<std::uint32_t> data_parents;  // how many of node i's are data dependencies
  std::vector<std::string> texts;           // each once; texts[0] is ""
  // Few nodes have these, so they are kept apart, ordered by node index.
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
    std::vector<std::string> words;  // what it is in an execution graph, see graph_trace.hpp

    bool operator==(const NodeOperation&) const = default;
  };
  std::vector<NodeOperation> operations;

  std::span<const std::uint64_t> parents_of(std::size_t node) const {
    return std::span(parents).subspan(first_parent[node], first_parent[node + 1] - first_parent[node]);
  }
  const std::string& name_of(const Node& node) const { return texts[node.name]; }

  bool operator==(const Trace&) const = default;
};

}  // namespace orrery::chakra
