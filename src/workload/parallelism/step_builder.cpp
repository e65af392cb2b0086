#include "workload/parallelism/step_builder.hpp"

#include <algorithm>
#include <utility>

#include "base/diagnostics/unreachable.hpp"

namespace orrery::core {
namespace {

bool same_group(const TensorOperation& a, const TensorOperation& b) {
  if (a.kernel == Kernel::attention) return b.kernel == Kernel::attention;
  return !a.group.empty() && a.group == b.group;
}

// Returns whether a product may use the number format of linear layers.
bool is_linear(const ShardedGraph& graph, const TensorOperation& product) {
  return !product.precise && std::any_of(product.inputs.begin(), product.inputs.end(),
                                         [&](TensorId id) { return graph[id].role == TensorRole::weight; });
}

ProductSparsity product_sparsity(const LayerSparsity& sparsity, StepPhase phase) {
  switch (phase) {
    case StepPhase::forward:
    case StepPhase::recompute:
      return sparsity.forward();
    case StepPhase::input_gradient:
      return sparsity.input_gradient();
    case StepPhase::weight_gradient:
      return sparsity.weight_gradient();
  }
  unreachable("the zeros of every phase's products are known");
}

}  // namespace

const std::string& name_of(const TensorOperation& operation) {
  return operation.group.empty() ? operation.name : operation.group;
}

bool is_linear_product(const ShardedGraph& graph, const TensorOperation& operation) {
  return is_matrix_product(operation) && is_linear(graph, operation);
}

void merge(Waits& into, const Waits& more) {
  into.insert(into.end(), more.begin(), more.end());
  std::sort(into.begin(), into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

std::vector<OperationGroup> groups_of(const std::vector<TensorOperation>& operations) {
  std::vector<OperationGroup> groups;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (!groups.empty() && same_group(operations[groups.back().begin], operations[i]))
      groups.back().end = i + 1;
    else
      groups.push_back({i, i + 1});
  }
  return groups;
}

std::vector<std::string> weighted_products(const ShardedGraph& graph) {
  std::vector<std::string> names;
  for (const OperationGroup& group : groups_of(graph.operations())) {
    const TensorOperation& first = graph.operations()[group.begin];
    if (is_linear_product(graph, first)) names.push_back(name_of(first));
  }
  return names;
}

std::span<const TensorOperation> StepBuilder::operations(const OperationGroup& group) const {
  return std::span(graph_.operations()).subspan(group.begin, group.end - group.begin);
}

int StepBuilder::add(Step step) {
  steps_.push_back(std::move(step));
  return static_cast<int>(steps_.size()) - 1;
}

Operator StepBuilder::operator_of(std::span<const TensorOperation> group, StepPhase phase,
                                  const OperatorWork& work) const {
  const std::string& name = name_of(group.front());
  if (std::holds_alternative<Elementwise>(work)) return {name, work, type_of(group.back().output)};
  if (std::holds_alternative<Attention>(work)) return {name, work, choices_.type, {}, choices_.cache_type};
  if (!is_linear(graph_, group.front())) return {name, work, choices_.type};
  return {name, work, choices_.linear_type.value_or(choices_.type),
          product_sparsity(choices_.sparsity.of(name), phase), choices_.weight_type};
}

int StepBuilder::add(std::span<const TensorOperation> group, StepPhase phase, const OperatorWork& work,
                     Waits waits) {
  const Operator op = operator_of(group, phase, work);
  return add({op.name, phase, op, std::move(waits)});
}

Waits StepBuilder::add_exchange(TensorId id, StepPhase phase, Axis axis, Transition how, const Layout& from,
                                const Layout& to, const Waits& waits) {
  const auto kind = collective_of(how);
  if (!kind) return waits;
  const Tensor& tensor = graph_[id];
  const double elements = graph_.local_elements(tensor, *kind == CollectiveKind::all_gather ? to : from);
  const bool in_blocks = choices_.context_ring && axis == Axis::context;
  const Exchange exchange{axis, *kind, elements * bytes_of(type_of(id)), in_blocks ? graph_.degree(axis) : 1};
  return {add({tensor.name, phase, exchange, waits})};
}

void StepBuilder::run(const OperationGroup& group, StepPhase phase, std::vector<Waits>& ready) {
  const auto members = operations(group);
  const TensorOperation& first = members.front();
  Waits waits;
  for (const TensorOperation& operation : members)
    for (const TensorId id : operation.inputs) merge(waits, ready[index_of(id)]);
  if (first.kind == TensorOperationKind::reshard) {
    const Layout &from = graph_[first.inputs[0]].layout, &to = graph_[first.output].layout;
    const Transition how = *transition(from[first.axis], to[first.axis]);
    waits = add_exchange(first.output, phase, first.axis, how, from, to, waits);
  } else if (first.kernel == Kernel::attention) {
    waits = {add(members, phase, attention_of(graph_, members, choices_.causal), waits)};
  } else if (is_matrix_product(first)) {
    waits = {add(members, phase, gemm_of(graph_, members), waits)};
  } else if (const auto work = elementwise_of(graph_, members, ElementPass::forward)) {
    waits = {add(members, phase, *work, waits)};
  }
  for (const TensorOperation& operation : members) ready[index_of(operation.output)] = waits;
}

}  // namespace orrery::core
