// The attributes of nodes that are read. All others have no effect.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "workload/chakra/files/node.hpp"
#include "workload/chakra/files/node_fields.hpp"

namespace orrery::core::chakra {

enum class AttributeName : std::uint8_t {
  is_cpu_op,
  num_ops,
  tensor_size,
  comm_type,
  comm_size,
  comm_priority,
  comm_src,
  comm_dst,
  comm_tag,
  comm_root,
  stream,
  pg_name,
  comm_group,
  involved_dim,
  inputs,
  outputs,
  orrery_duration_ps,
  orrery_operation,
  orrery_program,
  other
};

inline constexpr std::array<std::string_view, 19> attribute_names{
    "is_cpu_op",          "num_ops",          "tensor_size",   "comm_type",
    "comm_size",          "comm_priority",    "comm_src",      "comm_dst",
    "comm_tag",           "comm_root",        "stream",        "pg_name",
    "comm_group",         "involved_dim",     "inputs",        "outputs",
    "orrery_duration_ps", "orrery_operation", "orrery_program"};

// Calls `visit(name, bit, kind, member)` for the attributes that are one number each. `bit` says in Node::has
// whether the node has it. `kind` is the field of its value in files (node_fields.hpp): the one that Chakra's
// own converters use where it holds all values. Exact durations are not included, because only Orrery's own
// traces have them.
template <class NodeOrConst, class Visit>
constexpr void for_numbers(NodeOrConst& node, const Visit& visit) {
  using enum AttributeName;
  visit(num_ops, has_num_ops, fields::uint64_value, node.num_ops);
  visit(tensor_size, has_tensor_size, fields::uint64_value, node.tensor_size);
  visit(comm_type, has_comm_type, fields::int64_value, node.comm_type);
  visit(comm_size, has_comm_size, fields::uint64_value, node.comm_size);
  visit(comm_priority, has_comm_priority, fields::int32_value, node.comm_priority);
  visit(comm_src, has_comm_src, fields::uint32_value, node.comm_src);
  visit(comm_dst, has_comm_dst, fields::uint32_value, node.comm_dst);
  visit(comm_tag, has_comm_tag, fields::uint64_value, node.comm_tag);
  visit(comm_root, has_comm_root, fields::uint32_value, node.comm_root);
  visit(stream, has_stream, fields::int64_value, node.stream);
}

constexpr std::string_view text_of(AttributeName name) {
  return attribute_names[static_cast<std::size_t>(name)];
}

constexpr AttributeName attribute_called(std::string_view text) {
  std::size_t found = 0;
  while (found < attribute_names.size() && attribute_names[found] != text) ++found;
  return static_cast<AttributeName>(found);
}

}  // namespace orrery::core::chakra
