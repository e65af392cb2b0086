// Number formats of tensors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

// tf32 is what tensor cores make of fp32: four bytes in memory.
enum class Datatype : std::uint8_t { fp64, fp32, tf32, fp16, bf16, fp8, int8, fp4 };

inline constexpr std::array<EnumName<Datatype>, 8> datatype_words{{
    {"fp64", Datatype::fp64},
    {"fp32", Datatype::fp32},
    {"tf32", Datatype::tf32},
    {"fp16", Datatype::fp16},
    {"bf16", Datatype::bf16},
    {"fp8", Datatype::fp8},
    {"int8", Datatype::int8},
    {"fp4", Datatype::fp4},
}};

// Bytes of an element in memory.
constexpr double bytes_of(Datatype type) {
  constexpr std::array<double, 8> bytes{8, 4, 4, 2, 2, 1, 1, 0.5};
  return bytes[static_cast<std::size_t>(type)];
}

}  // namespace orrery::core
