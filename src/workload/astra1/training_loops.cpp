#include "workload/astra1/training_loops.hpp"

#include <algorithm>
#include <array>

namespace orrery::core {

namespace {

constexpr Pass forward = Pass::forward, input_gradient = Pass::input_gradient,
               weight_gradient = Pass::weight_gradient;

void data_forward(LoopWriter& p) {
  for (int i = 0; i < p.layers(); ++i) {
    p.wait(i, weight_gradient);
    p.compute(i, forward);
    p.hop();
  }
}

// A pass of a step that exchanges its gradients later leaves them where they are.
void data_backward(LoopWriter& p, bool exchanges) {
  for (int i = p.layers() - 1; i >= 0; --i) {
    p.compute(i, weight_gradient);
    if (exchanges) p.call_exchange(i);
    if (exchanges) p.issue(i, weight_gradient);
    if (i == 0 && exchanges && p.table().ddp) p.exchange(CollectiveKind::all_reduce, p.table().ddp->used_map);
    if (i == 0) p.evaluate();
    if (i == 0 && exchanges) p.end_pass();
    p.hop();
    if (i == 0) break;
    p.compute(i, input_gradient);
    p.hop();
  }
}

void data(LoopWriter& p) {
  const auto& ddp = p.table().ddp;
  if (ddp && p.iteration() == 0) p.exchange(CollectiveKind::broadcast, ddp->states);
  const int micro_batches = ddp ? ddp->micro_batches : 1;
  for (int pass = 1; pass <= micro_batches; ++pass) {
    data_forward(p);
    data_backward(p, pass == micro_batches);
  }
}

// This is data parallelism with the input gradient first, so that weight gradients are issued later but
// overlap in the same way.
void data_reorder(LoopWriter& p) {
  for (int i = 0; i < p.layers(); ++i) {
    p.wait(i, weight_gradient);
    p.compute(i, forward);
    p.hop();
  }
  for (int i = p.layers() - 1; i >= 0; --i) {
    if (i > 0 || p.layers() == 1) {
      p.compute(i, input_gradient);
      p.hop();
    }
    p.compute(i, weight_gradient);
    p.issue(i, weight_gradient);
    if (i == 0) p.end_pass();
    p.hop();
  }
}

void blocking_forward(LoopWriter& p) {
  for (int i = 0; i < p.layers(); ++i) {
    p.wait(i, weight_gradient);
    p.compute(i, forward);
    p.blocking(i, forward);
    p.hop();
  }
}

// Input-gradient collectives overlap with the same layer's weight-gradient compute.
void overlapped_backward(LoopWriter& p, bool with_weight_gradients) {
  for (int i = p.layers() - 1; i >= 0; --i) {
    p.compute(i, input_gradient);
    if (i > 0) p.issue(i, input_gradient);
    p.hop();
    p.compute(i, weight_gradient);
    if (with_weight_gradients) p.issue(i, weight_gradient);
    p.wait(i, input_gradient);
    if (i == 0) p.end_pass();
    p.hop();
  }
}

void hybrid(LoopWriter& p) {
  blocking_forward(p);
  overlapped_backward(p, true);
}

void model(LoopWriter& p) {
  blocking_forward(p);
  overlapped_backward(p, false);
}

void blocking_backward_step(LoopWriter& p, int i) {
  p.compute(i, input_gradient);
  p.blocking(i, input_gradient);
  p.hop();
  p.compute(i, weight_gradient);
  p.issue(i, weight_gradient);
  if (i == 0) p.end_pass();
  p.hop();
}

void transformer(LoopWriter& p) {
  blocking_forward(p);
  for (int i = p.layers() - 1; i >= 0; --i) blocking_backward_step(p, i);
}

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Before the backward step of an initiating layer, the activations from the nearest checkpoint on are
// computed again.
void recomputing_transformer(LoopWriter& p) {
  blocking_forward(p);
  for (int i = p.layers() - 1; i >= 0; --i) {
    if (contains(p.table().initiators, i)) {
      int j = i;
      while (!contains(p.table().checkpoints, j)) --j;
      p.hop();
      do {
        p.wait(j, weight_gradient);
        p.compute(j, forward);
        p.blocking(j, forward);
        ++j;
        p.hop();
      } while (!contains(p.table().initiators, j));
      i = j;  // another initiator on the way ends the recomputation and takes over
    }
    blocking_backward_step(p, i);
  }
}

// Layer 0 holds the embeddings: its exchange runs under the bottom layers in both directions.
void dlrm(LoopWriter& p, bool waits_for_gradient_exchange) {
  const int last_bottom = p.table().last_bottom_layer;
  for (int i = 0; i < p.layers(); ++i) {
    p.wait(i, weight_gradient);
    p.compute(i, forward);
    if (p.is_all_to_all(i, forward)) {
      p.issue_urgently(i, forward);
    } else if (i == last_bottom) {
      p.wait(0, forward);
    }
    p.hop();
  }
  for (int i = p.layers() - 1; i >= 0; --i) {
    p.compute(i, weight_gradient);
    p.issue(i, weight_gradient);
    if (waits_for_gradient_exchange) p.wait(i, input_gradient);
    if (i == 0) p.end_pass();
    p.hop();
    if (i == 0) break;
    p.compute(i, input_gradient);
    // The condition is not written with last_bottom + 1, which may overflow.
    if (i - 1 == last_bottom) p.issue_urgently(0, input_gradient);
    p.hop();
  }
}

void distributed_inference(LoopWriter& p) {
  for (int i = 0; i < p.layers(); ++i) {
    p.compute(i, forward);
    p.blocking(i, forward);
    p.hop();
  }
}

void micro(LoopWriter& p) {
  p.issue(0, weight_gradient);
}

using Loop = void (*)(LoopWriter&);
struct PolicyLoop {
  TrainingPolicy policy;
  Loop loop;
};
constexpr std::array<PolicyLoop, 12> loops{{
    {TrainingPolicy::data, data},
    {TrainingPolicy::data_reorder, data_reorder},
    {TrainingPolicy::model, model},
    {TrainingPolicy::hybrid_data_model, hybrid},
    {TrainingPolicy::hybrid_model_data, hybrid},
    {TrainingPolicy::hybrid_customized, hybrid},
    {TrainingPolicy::hybrid_transformer, transformer},
    {TrainingPolicy::hybrid_transformer_fwd_in_bckwd, recomputing_transformer},
    {TrainingPolicy::hybrid_dlrm, [](LoopWriter& p) { dlrm(p, true); }},
    {TrainingPolicy::hybrid_dlrm_enhanced, [](LoopWriter& p) { dlrm(p, false); }},
    {TrainingPolicy::distributed_inference, distributed_inference},
    {TrainingPolicy::micro, micro},
}};

}  // namespace

ExecutionGraph training_graph(const LayerTable& table, const GroupLayout& layout, int iterations,
                              const Dialect& dialect, const Scales& scales, GradientStore* store) {
  // A layer has some six operations of a hundred bytes each in an iteration.
  constexpr long long max_layer_iterations = 4'000'000;
  const long long passes = static_cast<long long>(iterations) * (table.ddp ? table.ddp->micro_batches : 1);
  if (static_cast<long long>(table.layers.size()) * passes > max_layer_iterations) {
    throw InputError(table.where, std::to_string(table.layers.size()) + " layers in " +
                                      std::to_string(passes) +
                                      " training passes are more than fit into memory, simulate at most " +
                                      std::to_string(max_layer_iterations) + " layers times passes");
  }
  LoopWriter program(scaled(table, scales, dialect), layout, dialect, store);
  const auto loop = std::find_if(loops.begin(), loops.end(),
                                 [&](const PolicyLoop& entry) { return entry.policy == table.policy; });
  for (int iteration = 0; iteration < iterations; ++iteration) loop->loop(program);
  return program.finish();
}

}  // namespace orrery::core
