// The numbers of the fields in Chakra's messages, which reader and writer share
// (docs/models/execution-traces.md, Files).
#pragma once

#include <cstdint>

namespace orrery::core::chakra::fields {

// GlobalMetadata
inline constexpr std::uint32_t version = 1, metadata_attribute = 2;
// Node
inline constexpr std::uint32_t id = 1, name = 2, type = 3, control_parents = 4, data_parents = 5, start = 6,
                               duration = 7, inputs = 8, attribute = 10;
// IOInfo
inline constexpr std::uint32_t values = 1;
// AttributeProto
inline constexpr std::uint32_t attribute_name = 1, int32_value = 7, int64_value = 9, uint32_value = 11,
                               uint64_value = 13, bool_value = 27, bool_list = 28, string_value = 29,
                               string_list = 30;
// Lists of AttributeProto
inline constexpr std::uint32_t entries = 1;

}  // namespace orrery::core::chakra::fields
