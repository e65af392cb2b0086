// Zeros in the operands of matrix products.
#pragma once

#include <array>
#include <cstdint>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

enum class SparsityPattern : std::uint8_t {
  unstructured,  // zeros anywhere
  two_of_four,   // at most two of four neighbouring weights are not zero: half of them are
};

inline constexpr std::array<EnumName<SparsityPattern>, 2> sparsity_pattern_words{{
    {"unstructured", SparsityPattern::unstructured},
    {"2:4", SparsityPattern::two_of_four},
}};

struct Sparsity {
  double weights = 0, activations = 0;                      // share of zeros, 0 to less than 1
  SparsityPattern pattern = SparsityPattern::unstructured;  // of the weights
};

}  // namespace orrery::core
