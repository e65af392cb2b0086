// The part of a layer that one of several NPUs computes and communicates, under ASTRA-sim 1.0's four
// strategies.
//
// W NPUs stand in P packages of L = W / P. Data parallelism cuts M among `data` NPUs, and model parallelism
// cuts N among `model` NPUs:
//
//                       data  model    forward          input gradient      weight gradient
//   DATA                W     1        -                -                   all-reduce k n
//   MODEL               1     W        all-gather       reduce-scatter      -
//   HYBRID_DATA_MODEL   P     L        m n / W          m k / data          all-reduce k n / model
//   HYBRID_MODEL_DATA   L     P        likewise         likewise            likewise
//
// The products of one NPU, with m and n cut, are m x k by k x n forward, m x n by n x k for the input
// gradient, and k x m by m x n for the weight gradient.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/bytes.hpp"
#include "collective/plan/system_config.hpp"
#include "compute/operator.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

struct SplitMachine {
  std::uint64_t npus = 8;
  std::uint64_t packages = 1;           // number of packages, which divides the NPUs
  std::uint64_t bytes_per_element = 2;  // bytes of an element that is communicated
};

// The numbers of NPUs that cut the rows and the features of a layer. Their product is the size of the
// machine.
struct LayerWays {
  std::uint64_t data = 1, model = 1;
};

// What happens to rows and features that do not divide evenly. The original simulator loses them; in truth
// one NPU has more than the others.
enum class Remainder : std::uint8_t { lost, computed };

struct SplitStep {
  Gemm gemm;
  std::optional<CollectiveKind> collective;
  Bytes size;  // as in layer tables; rounded down, of the whole m, n and k
};

struct LayerSplit {
  SplitStep forward, input_gradient, weight_gradient;
  bool even = true;  // whether nothing remains
};

// Returns the ways in which a policy cuts a layer. `policy` must be one that splits a layer.
LayerWays ways_of(TrainingPolicy policy, const SplitMachine& machine);

// Returns whether a layer can be split by this policy.
bool splits_a_layer(TrainingPolicy policy);
// Returns DATA, MODEL, HYBRID_DATA_MODEL and HYBRID_MODEL_DATA.
std::vector<std::string_view> layer_strategy_words();

// Splits a layer's product. `policy` must be one that splits a layer. Throws InputError at `where` that names
// the layer, when m or n is less than the number of NPUs it is divided among, or a size exceeds what a layer
// table holds.
LayerSplit split_layer(const std::string& name, const Gemm& gemm, TrainingPolicy policy,
                       const SplitMachine& machine, Remainder remainder, const SourceLocation& where);

}  // namespace orrery::core
