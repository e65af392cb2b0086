// A node of a Chakra execution trace has the fields and attributes of docs/models/execution-traces.md, Files.
#pragma once

#include <cstdint>

namespace orrery::core::chakra {

// The numbers are those in the file.
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

// The attributes that a node has, as bits of Node::has. Those that it does not have are 0.
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
  has_stream = 8192,
  has_start = 16384,
};

struct Node {
  std::uint64_t id = 0;
  std::uint64_t duration_us = 0;
  std::uint64_t start_us = 0;     // when it began in the recording
  std::uint64_t duration_ps = 0;  // the same duration more exactly; only Orrery's own traces have it
  std::uint64_t num_ops = 0;
  std::uint64_t tensor_size = 0;  // bytes
  std::uint64_t comm_size = 0;    // bytes
  std::uint32_t comm_src = 0, comm_dst = 0;
  std::uint64_t comm_tag = 0;
  std::uint32_t comm_root = 0;  // rank of the machine
  std::int32_t comm_priority = 0;
  std::int64_t stream = 0;  // of the device, in the recording
  std::uint16_t has = 0;    // Attribute bits
  NodeType type = NodeType::invalid;
  CommType comm_type = CommType::all_reduce;
  bool on_cpu = false;
  std::uint8_t involved_count = 0;  // entries of involved_dim
  std::uint16_t involved_dims = 0;  // bit d is entry d
  std::uint32_t pg_name = 0;        // in Trace::texts; "" when absent

  bool operator==(const Node&) const = default;
};

}  // namespace orrery::core::chakra
