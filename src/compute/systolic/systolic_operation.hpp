// Operators as a systolic array sees them, namely as matrix products.
#pragma once

#include <cstdint>
#include <optional>

#include "base/diagnostics/diagnostics.hpp"
#include "compute/operator.hpp"

namespace orrery::core {

// The windows of a convolution over one image, each dimension by itself.
struct WindowGrid {
  struct Edge {
    std::uint64_t windows = 1, filter = 1, stride = 1, pixels = 1;  // pixels: that windows cover
    bool operator==(const Edge&) const = default;
  };
  Edge height, width;
  std::uint64_t channels = 1, images = 1;

  // Returns how many different words the windows touch at places [first, end) of the filter, whose order is
  // rows, columns, channels. Near the edges of the image it may be some more.
  std::uint64_t words_of(std::uint64_t first, std::uint64_t end) const;
  bool operator==(const WindowGrid&) const = default;
};

// A product of M x K inputs and K x N weights, done `repeats` times one after the other, each time with
// operands of its own.
struct SystolicOperation {
  std::uint64_t m = 1, n = 1, k = 1;
  // Number of different words among the m * k inputs. It is smaller than m * k where windows of a convolution
  // overlap or hang over the edge.
  std::uint64_t input_words = 1;
  std::uint64_t repeats = 1;
  // Columns of the inputs where some meet no weights, as these are zero and left out; 0: k.
  std::uint64_t dense_k = 0;
  std::optional<WindowGrid> grid = {};  // of a convolution whose windows share pixels

  std::uint64_t input_columns() const { return dense_k > 0 ? dense_k : k; }
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

}  // namespace orrery::core
