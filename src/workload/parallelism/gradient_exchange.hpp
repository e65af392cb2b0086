// The exchanges of data parallelism for a set of parameters, by the stage of ZeRO (Rajbhandari et al., 2020).
//
// The exchanges follow from the algebra of sharding.hpp. Gradients come as partial sums. A rank that keeps a
// part of the optimizer's state needs the same part of the gradients, and weights that were updated in parts
// are wanted whole.
//
//   stage  weights  gradients  optimizer  once per step           per micro-batch
//   0      D        P          D          all-reduce              -
//   1      D        P          S          reduce-scatter, then    -
//                                         all-gather of weights
//   2      D        S          S          all-gather of weights   reduce-scatter of gradients
//   3      S        S          S          -                       all-gather of weights before the forward
//                                                                 and before the backward pass,
//                                                                 reduce-scatter of gradients
//
// If only some of the ranks with the same parameters divide them (HSDP), "S" is along these ranks. Along the
// others, gradients are partial sums of what all ranks keep, so each reduce-scatter is followed by an
// all-reduce of its part.
//
// With one micro-batch per step stages 1 and 2 have the same volume.
#pragma once

#include <cstdint>
#include <vector>

#include "workload/parallelism/sharding.hpp"

namespace orrery::core {

enum class ExchangeMoment : std::uint8_t {
  before_forward,
  before_backward,
  after_backward,   // when the gradients exist
  after_optimizer,  // when the weights are updated
};

struct GradientExchange {
  ExchangeMoment moment;
  CollectiveKind kind;
  bool of_weights;            // otherwise of gradients
  bool every_micro_batch;     // otherwise once per step
  bool among_copies = false;  // the exchange of one part among the ranks that hold the same part
};

// Returns the exchanges in the order of a step. `zero` is 0 to 3; `copies` says that several ranks hold each
// shared part.
std::vector<GradientExchange> gradient_exchanges(int zero, bool copies = false);

}  // namespace orrery::core
