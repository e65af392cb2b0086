// Counts the bytes that training keeps for every parameter, and says how they are sharded.
//
//   bytes per parameter         weights  gradients  optimizer: master copy + moments
//   sgd, fp32                   4        4          -
//   momentum, fp32              4        4          4
//   adam, fp32                  4        4          4 + 4
//   sgd, mixed                  2        2          4
//   momentum, mixed             2        2          4 + 4
//   adam, mixed                 2        2          4 + 4 + 4
//   ..., mixed-fp32-gradients   2        4          as mixed
//
// Sharding over N ranks (Rajbhandari et al., "ZeRO: memory optimizations toward training trillion parameter
// models", 2020): stage 1 divides the optimizer's part by N, stage 2 the gradients, too, stage 3 all.
#pragma once

#include <array>
#include <cstdint>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

enum class Optimizer : std::uint8_t { sgd, momentum, adam };
enum class Precision : std::uint8_t { fp32, mixed, mixed_fp32_gradients };

inline constexpr std::array<EnumName<Optimizer>, 3> optimizer_words{{
    {"sgd", Optimizer::sgd},
    {"momentum", Optimizer::momentum},
    {"adam", Optimizer::adam},
}};
inline constexpr std::array<EnumName<Precision>, 3> precision_words{{
    {"fp32", Precision::fp32},
    {"mixed", Precision::mixed},
    {"mixed-fp32-gradients", Precision::mixed_fp32_gradients},
}};

// Bytes per parameter, or of all parameters of a rank.
struct ParameterState {
  double weights = 0, gradients = 0, optimizer = 0;

  double total() const { return weights + gradients + optimizer; }
};

struct Sharding {
  int stage = 0;            // from 0, where every rank holds everything, to 3
  std::uint64_t ranks = 1;  // ranks that share the state, at least 1

  bool operator==(const Sharding&) const = default;
};

ParameterState bytes_per_parameter(Optimizer optimizer, Precision precision);

// Returns the bytes of a rank that holds `parameters` before sharding. Layers gathered for a moment under
// stage 3 are not included.
ParameterState parameter_state(double parameters, Optimizer optimizer, Precision precision,
                               Sharding sharding);

}  // namespace orrery::core
