// A systolic array: a grid of multiply-accumulate units through which operands stream, with one buffer (SRAM)
// per operand.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

// Says which of the three matrices stays in the grid while the other two stream.
enum class Dataflow : std::uint8_t { output_stationary, weight_stationary, input_stationary };

// SCALE-Sim's words for the dataflows.
inline constexpr std::array<EnumName<Dataflow>, 3> dataflow_words{{
    {"os", Dataflow::output_stationary},
    {"ws", Dataflow::weight_stationary},
    {"is", Dataflow::input_stationary},
}};

// The defaults are those of SCALE-Sim's google.cfg, a TPU v1. A word is an element, whatever its format.
struct SystolicArray {
  Dataflow dataflow = Dataflow::weight_stationary;
  std::uint64_t rows = 256, columns = 256;
  std::uint64_t input_sram = 6144ull * 1024, filter_sram = 6144ull * 1024,
                output_sram = 2048ull * 1024;  // words
  // Words per cycle between main memory and each of the three buffers. Without a value, memory delivers as
  // many as the array asks for.
  std::optional<std::uint64_t> bandwidth;
  std::uint64_t arrays = 1;  // number of arrays that share every operator
  // In Hz; SCALE-Sim has no frequency, and readers of its cycles take one for a nanosecond.
  double frequency = 1e9;
};

// The smallest buffer, in words. It follows from the model, which divides a buffer into 100 sets.
inline constexpr std::uint64_t smallest_sram = 100;

}  // namespace orrery::core
