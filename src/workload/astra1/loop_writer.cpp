#include "workload/astra1/loop_writer.hpp"

#include <utility>

#include "workload/astra1/scaling.hpp"

namespace orrery {

namespace {

const LayerStep& step_of(const Layer& layer, Pass pass) {
  switch (pass) {
    case Pass::forward:
      return layer.forward;
    case Pass::input_gradient:
      return layer.input_gradient;
    case Pass::weight_gradient:
      break;
  }
  return layer.weight_gradient;
}

std::vector<std::string> names_of(const LayerTable& table) {
  std::vector<std::string> names;
  for (const Layer& layer : table.layers) names.push_back(layer.name);
  return names;
}

}  // namespace

LoopWriter::LoopWriter(const LayerTable& table, const GroupLayout& layout, const Dialect& dialect,
                       const Scales& scales)
    : table_(table), dialect_(dialect), graph_(names_of(table)) {
  for (std::size_t i = 0; i < table.layers.size(); ++i) {
    const Layer& layer = table.layers[i];
    const Participation dimensions = participation(table, i, layout);
    ScaledLayer scaled_layer;
    for (std::size_t pass = 0; pass < passes_of_a_layer; ++pass) {
      const LayerStep& written = step_of(layer, static_cast<Pass>(pass));
      ScaledStep& step = scaled_layer.steps[pass];
      step.compute = scaled(written.compute, scales.compute, dialect);
      const Bytes size = scaled(written.size, scales.communication, dialect);
      // A collective of no bytes is none (docs/models/training-loops.md, Collectives of no bytes).
      step.communicates = written.all_reduce_all_to_all || (written.collective && size > Bytes(0));
      step.collective = {written.collective.value_or(CollectiveKind::all_reduce), size, dimensions[pass],
                         false};
    }
    layers_.push_back(std::move(scaled_layer));
  }
}

bool LoopWriter::is_all_to_all(int layer, Pass pass) const {
  return step_of(table_.layers[layer], pass).collective == CollectiveKind::all_to_all;
}

void LoopWriter::compute(int layer, Pass pass) {
  graph_.append({OperationKind::compute, pass, layer, iteration_, step(layer, pass).compute});
}

void LoopWriter::hop() {
  if (dialect_.state_transition > Time()) {
    graph_.append(
        {.kind = OperationKind::transition, .iteration = iteration_, .duration = dialect_.state_transition});
  }
}

void LoopWriter::issue(int layer, Pass pass, bool urgent) {
  const ScaledStep& scaled_step = step(layer, pass);
  if (!scaled_step.communicates) return;
  const Layer& of = table_.layers[layer];
  if (step_of(of, pass).all_reduce_all_to_all) {
    throw InputError(of.where, "layer '" + of.name +
                                   "' issues ALLREDUCEALLTOALL, which no simulator of this family "
                                   "runs, use ALLREDUCE or ALLTOALL");
  }
  CollectiveRequest request = scaled_step.collective;
  request.urgent = urgent;
  const Operation operation{OperationKind::collective, pass, layer, iteration_, {}, request, of.delay};
  layers_[layer].outstanding[static_cast<std::size_t>(pass)].push_back(graph_.beside(operation));
}

void LoopWriter::wait(int layer, Pass pass) {
  auto outstanding = std::exchange(layers_[layer].outstanding[static_cast<std::size_t>(pass)], {});
  graph_.wait_for(outstanding);
}

void LoopWriter::blocking(int layer, Pass pass) {
  issue(layer, pass);
  wait(layer, pass);
}

void LoopWriter::end_pass() {
  graph_.end_iteration(iteration_++);
}

ExecutionGraph LoopWriter::finish() {
  for (int layer = 0; layer < layers(); ++layer) {
    for (Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient}) wait(layer, pass);
  }
  return graph_.end(iteration_);
}

}  // namespace orrery
