#include "workload/astra1/program.hpp"

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

}  // namespace

Program::Program(const LayerTable& table, const GroupLayout& layout, const Dialect& dialect,
                 const Scales& scales)
    : table_(table), dialect_(dialect) {
  last_ = graph_.add({OperationKind::begin, Pass::forward, -1, 0, {}, {}, {}}, {});
  for (std::size_t i = 0; i < table.layers.size(); ++i) {
    const Layer& layer = table.layers[i];
    graph_.layer_names.push_back(layer.name);
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

bool Program::is_all_to_all(int layer, Pass pass) const {
  return step_of(table_.layers[layer], pass).collective == CollectiveKind::all_to_all;
}

std::vector<ExecutionGraph::Id> Program::predecessors() const {
  std::vector<ExecutionGraph::Id> result{last_};
  result.insert(result.end(), waits_.begin(), waits_.end());
  return result;
}

ExecutionGraph::Id Program::append(const Operation& operation) {
  last_ = graph_.add(operation, predecessors());
  waits_.clear();
  return last_;
}

void Program::compute(int layer, Pass pass) {
  append({OperationKind::compute, pass, layer, iteration_, step(layer, pass).compute, {}, {}});
}

void Program::hop() {
  if (dialect_.state_transition > Time()) {
    append({OperationKind::transition, Pass::forward, -1, iteration_, dialect_.state_transition, {}, {}});
  }
}

void Program::issue(int layer, Pass pass, bool urgent) {
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
  layers_[layer].outstanding[static_cast<std::size_t>(pass)].push_back(graph_.add(operation, predecessors()));
}

void Program::wait(int layer, Pass pass) {
  auto outstanding = std::exchange(layers_[layer].outstanding[static_cast<std::size_t>(pass)], {});
  waits_.insert(waits_.end(), outstanding.begin(), outstanding.end());
}

void Program::blocking(int layer, Pass pass) {
  issue(layer, pass);
  wait(layer, pass);
}

void Program::end_pass() {
  graph_.add({OperationKind::pass_end, Pass::forward, -1, iteration_, {}, {}, {}}, predecessors());
  ++iteration_;
}

ExecutionGraph Program::finish() {
  for (int layer = 0; layer < layers(); ++layer) {
    for (Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient}) wait(layer, pass);
  }
  append({OperationKind::end, Pass::forward, -1, iteration_, {}, {}, {}});
  return std::move(graph_);
}

}  // namespace orrery
