// An implementation of fused attention, and what it reaches of a device's peaks (docs/models/compute.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "compute/datatype.hpp"

namespace orrery::core {

struct AttentionKernel {
  // Shares of the peak of the matrix units that the products reach. The defaults are those of fused attention
  // in general, which reaches 0.5 to 0.75 of the peak (Dao, "FlashAttention-2", 2023).
  double forward = 0.6, backward = 0.6;
  // The same in formats of 8 bits and fewer; not given: as above.
  std::optional<double> narrow_forward, narrow_backward;
  // Time of the softmax of a score that does not hide behind the products, in exponentials of the special
  // function units.
  double exponentials = 0;
  // A query takes as long as if it met so many keys more, because tiles are loaded and emptied, and because
  // those on the diagonal of a causal mask are computed as a whole.
  double more_keys = 0;

  double efficiency(Datatype type, bool is_backward) const;

  bool operator==(const AttentionKernel&) const = default;
};

// Reads a word of share/orrery/attention, or a map. Throws InputError.
AttentionKernel read_attention_kernel(const InputNode& node, const KeyFacts& key);

std::vector<std::string_view> attention_kernel_names();
// The keys of such a map.
std::vector<KeyPath> attention_kernel_keys();

}  // namespace orrery::core
