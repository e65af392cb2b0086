// Operators as a systolic array sees them, namely as matrix products.
#pragma once

#include <cstdint>

#include "base/diagnostics.hpp"
#include "compute/operator.hpp"

namespace orrery {

// A product of M x K inputs and K x N weights, done `repeats` times one after the other, each time with
// operands of its own.
struct SystolicOperation {
  std::uint64_t m = 1, n = 1, k = 1;
  // Number of different words among the m * k inputs. It is smaller than m * k where windows of a convolution
  // overlap or hang over the edge.
  std::uint64_t input_words = 1;
  std::uint64_t repeats = 1;

  bool operator==(const SystolicOperation&) const = default;
};

// The place of a convolution's last window when the stride does not divide what is left: frameworks keep it
// inside the padded image, SCALE-Sim lets it hang over the edge.
enum class LastWindow : std::uint8_t { inside, hangs_over };

// The batch of a product becomes repeats, that of a convolution becomes rows of M. These throw InputError at
// `where` when a size is zero, a window is larger than its image, groups do not divide channels and filters,
// or numbers do not fit 64 bits.
SystolicOperation systolic_operation(const Gemm& gemm, const SourceLocation& where);
SystolicOperation systolic_operation(const Convolution& convolution, LastWindow last_window,
                                     const SourceLocation& where);

}  // namespace orrery
