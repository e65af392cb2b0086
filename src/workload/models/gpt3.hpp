// GPT-3 (Brown et al., 2020) with tensor parallelism inside a group of NPUs, data parallelism across groups,
// and activation recomputation block by block, as a layer table.
//
// With M = batch * sequence tokens, h = hidden, t = tensor_parallel, v = vocabulary, e = bytes per element,
// per NPU and step; an all-reduce without size is of M h e:
//
//   layer            operations                       forward        input gradient     weight gradient
//   Q K V            2 M h (h/t)                      -              all-reduce         all-reduce h (h/t) e
//                                                                    (Q, for K, V too)
//   QK, softmax      batch sequence^2 (h/t): the causal mask leaves half of the multiply-adds
//   concat           2 M h (h/t)                      all-reduce     all-gather M h e/t all-reduce h (h/t) e
//   XW1b1            2 M h (4h/t)                     -              all-reduce         all-reduce h (4h/t) e
//   XW2b2            2 M h (4h/t)                     all-reduce     -                  all-reduce h (4h/t) e
//   layerNorm        2 M h
//   projection       2 M h (v/t)                      all-gather     all-reduce         all-reduce h (v/t) e
//                                                     M (v/t) e
//
// time = round(operations / peak), in whole nanoseconds, the same for all three steps. Valid where the peak
// is a rate the layers reach; embedding and optimizer are left out.
#pragma once

#include "base/diagnostics.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

struct Gpt3Options {
  double flops_per_second = 0;  // required
  int transformer_layers = 96;
  int tensor_parallel = 16;  // NPUs that share a layer
  int batch = 16;            // sequences per group of tensor_parallel NPUs
  int sequence = 2048;       // tokens
  int hidden = 12288;
  int heads = 96;
  int vocabulary = 36000;
  int bytes_per_element = 2;
  SourceLocation where = {};  // of the description, for errors and the table
};

LayerTable gpt3(const Gpt3Options& options);

}  // namespace orrery
