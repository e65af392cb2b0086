// Counts the operations that a training step of a transformer needs, as papers count them: only matrix
// products, with two operations per multiply-accumulate.
//
// For a GPT (heads as wide as `hidden`, ffn = 4 h) this is 72 B s L h^2 (1 + s/6h + V/12hL), if scores that a
// mask removes are counted, too (Narayanan et al. 2021, equation 3; Korthikanti et al. 2022, appendix A).
#pragma once

#include "workload/transformer/transformer_plan.hpp"

namespace orrery::core {

// Operations per sequence and forward pass, masked scores included. Tokens that experts have no room for are
// not counted.
struct ModelFlops {
  double attention_scores = 0;  // both products that have no weights
  double layers = 0;            // all other products of layers
  double head = 0;

  double forward() const { return attention_scores + layers + head; }
};

// `plan` says what attention sees and the head works on, where that is not the whole sequence.
ModelFlops model_flops(const Transformer& model, const TransformerPlan& plan = {});
// Returns the operations of a step: a forward pass, and in training twice as many for the backward pass.
// Scores count as the plan's attention computes them, so that no device can be busier than all the time.
// Naive attention computes masked scores like the others (and so Megatron-LM and PaLM count them). Flash
// attention skips them, and half of them are masked where tokens see only those before them (and so the
// papers on FlashAttention and Llama 3 count them).
double step_model_flops(const Transformer& model, const TransformerPlan& plan);

}  // namespace orrery::core
