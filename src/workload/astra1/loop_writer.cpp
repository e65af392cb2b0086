#include "workload/astra1/loop_writer.hpp"

#include <utility>

#include "workload/astra1/host_operation.hpp"

namespace orrery::core {

bool LoopWriter::is_all_to_all(int layer, Pass pass) const {
  return this->layer(layer).step(pass).collective == CollectiveKind::all_to_all;
}

void LoopWriter::compute(int layer, Pass pass) {
  const LayerStep& step = this->layer(layer).step(pass);
  wait_for_host(HostWork::launches, pass, layer, step.awaits_host);
  graph_.append({.kind = OperationKind::compute,
                 .pass = pass,
                 .layer = layer,
                 .iteration = iteration_,
                 .duration = step.compute,
                 .contention = step.contention});
}

void LoopWriter::wait_for_host(HostWork work, Pass pass, int layer, Time time) {
  if (time > Time()) graph_.append(host_operation(work, pass, layer, iteration_, time));
}

void LoopWriter::call_exchange(int layer) {
  wait_for_host(HostWork::exchanges, Pass::weight_gradient, layer, this->layer(layer).host_calls);
}

void LoopWriter::evaluate() {
  wait_for_host(HostWork::evaluation, Pass::forward, layers() - 1, table_.evaluation);
}

void LoopWriter::hop() {
  if (dialect_.state_transition > Time()) {
    graph_.append(
        {.kind = OperationKind::transition, .iteration = iteration_, .duration = dialect_.state_transition});
  }
}

void LoopWriter::issue(int layer, Pass pass, bool urgent) {
  const Layer& of = this->layer(layer);
  const LayerStep& step = of.step(pass);
  if (!step.communicates()) return;
  if (step.all_reduce_all_to_all) {
    throw InputError(of.where, "layer '" + of.name +
                                   "' issues ALLREDUCEALLTOALL, which no simulator of this family "
                                   "runs, use ALLREDUCE or ALLTOALL");
  }
  if (store_ && pass == Pass::weight_gradient) return store_->push(graph_, layer, iteration_);
  const auto index = static_cast<std::size_t>(layer);
  const DimensionSet dimensions = participation(table_, index, layout_)[static_cast<std::size_t>(pass)];
  outstanding(layer, pass)
      .push_back(graph_.beside({.kind = OperationKind::collective,
                                .pass = pass,
                                .layer = layer,
                                .iteration = iteration_,
                                .collective = {.kind = *step.collective,
                                               .size = step.size,
                                               .dimensions = dimensions,
                                               .urgent = urgent,
                                               .root = step.root},
                                .delay = of.delay}));
}

void LoopWriter::exchange(CollectiveKind kind, Bytes size) {
  if (size == Bytes()) return;
  constexpr Pass pass = Pass::weight_gradient;
  const DimensionSet dimensions = participation(table_, 0, layout_)[static_cast<std::size_t>(pass)];
  outstanding(0, pass).push_back(
      graph_.beside({.kind = OperationKind::collective,
                     .pass = pass,
                     .layer = 0,
                     .iteration = iteration_,
                     .collective = {.kind = kind, .size = size, .dimensions = dimensions}}));
}

void LoopWriter::wait(int layer, Pass pass) {
  if (store_ && pass == Pass::weight_gradient) return store_->pull(graph_, layer);
  graph_.wait_for(std::exchange(outstanding(layer, pass), {}));
}

void LoopWriter::blocking(int layer, Pass pass) {
  issue(layer, pass);
  wait(layer, pass);
}

void LoopWriter::end_pass() {
  graph_.end_iteration(iteration_);
  if (store_) store_->end_step(graph_, iteration_);
  ++iteration_;
}

ExecutionGraph LoopWriter::finish() {
  for (int layer = 0; layer < layers(); ++layer) {
    for (Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient}) wait(layer, pass);
  }
  return graph_.end(iteration_);
}

}  // namespace orrery::core
