// The attributes of nodes that are read; of all others, none has an effect.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace orrery::chakra {

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
  pg_name,
  involved_dim,
  inputs,
  outputs,
  orrery_duration_ps,
  orrery_operation,
  other
};

inline constexpr std::array<std::string_view, 16> attribute_names{
    "is_cpu_op", "num_ops",  "tensor_size",        "comm_type",       "comm_size", "comm_priority",
    "comm_src",  "comm_dst", "comm_tag",           "comm_root",       "pg_name",   "involved_dim",
    "inputs",    "outputs",  "orrery_duration_ps", "orrery_operation"};

constexpr std::string_view text_of(AttributeName name) {
  return attribute_names[static_cast<std::size_t>(name)];
}

constexpr AttributeName attribute_called(std::string_view text) {
  std::size_t found = 0;
  while (found < attribute_names.size() && attribute_names[found] != text) ++found;
  return static_cast<AttributeName>(found);
}

}  // namespace orrery::chakra
