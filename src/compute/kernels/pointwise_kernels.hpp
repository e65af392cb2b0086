// How kernels pass over memory that carry out operators without matrix products: one kernel for each
// operator, or several one after another (docs/models/compute.md).
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "compute/operator.hpp"

namespace orrery::core {

// Bytes that kernels move, as multiples of those of an operator that reads its operands once and writes its
// results once.
struct PointwisePasses {
  double forward = 1, backward = 1;

  bool operator==(const PointwisePasses&) const = default;
};

struct PointwiseKernels {
  std::array<PointwisePasses, pointwise_kinds> passes;
  // Number format of what kernels read and write, where it is wider than that of the operator.
  std::optional<Datatype> format;

  // Returns the bytes that pass memory for each element of the operator's operands and results.
  double bytes_per_element(const Elementwise& work, Datatype type) const;

  bool operator==(const PointwiseKernels&) const = default;
};

// Reads a word of share/orrery/pointwise, or a map. Throws InputError.
PointwiseKernels read_pointwise_kernels(const InputNode& node, const KeyFacts& key);

std::vector<std::string_view> pointwise_kernel_names();
// The keys of such a map.
std::vector<KeyPath> pointwise_kernel_keys();

}  // namespace orrery::core
