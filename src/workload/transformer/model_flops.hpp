// Operations that a training step of a transformer needs, as papers count them: matrix products alone, two
// per multiply-accumulate, scores unmasked.
//
// For a GPT (heads as wide as `hidden`, ffn = 4 h) this is 72 B s L h^2 (1 + s/6h + V/12hL); with selective
// recomputation the hardware does s/3h instead of s/6h, with full recomputation 96 B s L h^2 (1 + s/6h +
// V/16hL) (Narayanan et al. 2021, equation 3; Korthikanti et al. 2022, appendix A).
#pragma once

#include "workload/transformer/transformer_plan.hpp"

namespace orrery {

// Per sequence and forward pass.
struct ModelFlops {
  double attention_scores = 0;  // both products without weights
  double layers = 0;            // all other products of layers
  double head = 0;

  double forward() const { return attention_scores + layers + head; }
};

ModelFlops model_flops(const Transformer& model);
// Per step of `sequences`: forward, and twice as many backward.
double step_model_flops(const Transformer& model, std::uint64_t sequences);
// With what is recomputed, as the papers count it, whatever attention is used: full recomputation repeats all
// of the layers, but not the head. Selective recomputation repeats the products of scores once, but the paper
// takes them as three times as many (s/3h); so published utilizations of hardware have it.
double step_hardware_flops(const Transformer& model, std::uint64_t sequences, Recompute recompute);

}  // namespace orrery
