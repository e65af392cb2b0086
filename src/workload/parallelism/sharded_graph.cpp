#include "workload/parallelism/sharded_graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace orrery::core {

Dim ShardedGraph::dimension(std::string name, std::uint64_t size) {
  dimensions_.push_back({std::move(name), size});
  return static_cast<Dim>(dimensions_.size() - 1);
}

TensorId ShardedGraph::tensor(std::string name, std::vector<Dim> dims, const Layout& layout,
                              TensorRole role) {
  Tensor tensor{std::move(name), std::move(dims), layout, role};
  for (const Axis axis : all_axes)
    if (degree(axis) == 1) tensor.layout[axis] = duplicated;
  tensors_.push_back(std::move(tensor));
  return static_cast<TensorId>(tensors_.size() - 1);
}

std::uint64_t ShardedGraph::local_size(Dim dim, const Layout& layout) const {
  std::uint64_t parts = 1;
  for (const Axis axis : all_axes)
    if (layout[axis] == sharded(dim)) parts *= degree(axis);
  return (size(dim) + parts - 1) / parts;
}

double ShardedGraph::local_elements(const Tensor& tensor, const Layout& layout) const {
  double elements = tensor.density;
  for (const Dim dim : tensor.dims) elements *= static_cast<double>(local_size(dim, layout));
  return elements;
}

ShardState ShardedGraph::result_state(const TensorOperation& operation, const std::vector<Dim>& dims,
                                      Axis axis) const {
  std::vector<PlacedOperand> operands;
  std::size_t partials = 0;
  for (const TensorId id : operation.inputs) {
    operands.push_back({(*this)[id].dims, (*this)[id].layout[axis]});
    partials += operands.back().state == partial;
  }
  const auto refuse = [&] {
    throw std::logic_error("operands of " + operation.name +
                           " are not placed as it needs them along the axis " + std::string(name_of(axis)));
  };
  if (operation.kind == TensorOperationKind::sum && partials == operands.size()) return partial;
  if (operation.kind != TensorOperationKind::product && partials > 0) refuse();
  const auto state = state_of_result(operands, dims);
  if (!state) refuse();
  if (operation.kind == TensorOperationKind::row_wise && *state == sharded(operation.from)) refuse();
  return *state;
}

Layout ShardedGraph::result_layout(const TensorOperation& operation, const std::vector<Dim>& dims) const {
  Layout layout;
  for (const Axis axis : all_axes) layout[axis] = result_state(operation, dims, axis);
  return layout;
}

TensorId ShardedGraph::add(TensorOperation operation, std::vector<Dim> dims, const Layout& layout) {
  double density = 1;
  std::optional<Datatype> type;
  for (const TensorId id : operation.inputs) {
    density = std::min(density, (*this)[id].density);
    if ((*this)[id].type) type = (*this)[id].type;
  }
  const bool copy =
      operation.kind == TensorOperationKind::rename || operation.kind == TensorOperationKind::reshard;
  const bool constant = copy && (*this)[operation.inputs[0]].role == TensorRole::constant;
  const TensorRole role = constant ? TensorRole::constant : TensorRole::activation;
  operation.output = tensor(operation.name, std::move(dims), layout, role);
  (*this)[operation.output].density = density;
  (*this)[operation.output].type = type;
  operations_.push_back(std::move(operation));
  return operations_.back().output;
}

TensorId ShardedGraph::add(TensorOperation operation, std::vector<Dim> dims) {
  const Layout layout = result_layout(operation, dims);
  return add(std::move(operation), std::move(dims), layout);
}

TensorId ShardedGraph::add(TensorOperation operation) {
  std::vector<Dim> dims = (*this)[operation.inputs[0]].dims;
  return add(std::move(operation), std::move(dims));
}

TensorId ShardedGraph::product(std::string name, std::vector<TensorId> inputs, std::vector<Dim> result) {
  return add({TensorOperationKind::product, std::move(name), std::move(inputs)}, std::move(result));
}

TensorId ShardedGraph::pointwise(std::string name, std::vector<TensorId> inputs, const ElementCost& cost) {
  TensorOperation operation{TensorOperationKind::pointwise, std::move(name), std::move(inputs)};
  operation.cost = cost;
  return add(std::move(operation));
}

TensorId ShardedGraph::sum(std::string name, std::vector<TensorId> inputs, const ElementCost& cost) {
  TensorOperation operation{TensorOperationKind::sum, std::move(name), std::move(inputs)};
  operation.cost = cost;
  return add(std::move(operation));
}

TensorId ShardedGraph::row_wise(std::string name, std::vector<TensorId> inputs, Dim row,
                                const ElementCost& cost) {
  TensorOperation operation{TensorOperationKind::row_wise, std::move(name), std::move(inputs)};
  operation.from = row;
  operation.cost = cost;
  return add(std::move(operation));
}

TensorId ShardedGraph::rename(TensorId id, Dim from, Dim to) {
  TensorOperation operation{TensorOperationKind::rename, (*this)[id].name, {id}};
  operation.from = from;
  operation.to = to;
  std::vector<Dim> dims = (*this)[id].dims;
  std::replace(dims.begin(), dims.end(), from, to);
  Layout layout = (*this)[id].layout;
  for (ShardState& state : layout.states)
    if (state == sharded(from)) state = sharded(to);
  return add(std::move(operation), std::move(dims), layout);
}

TensorId ShardedGraph::reshard(TensorId id, Axis axis, ShardState to, Keep keep) {
  if (degree(axis) == 1 || (*this)[id].layout[axis] == to) return id;
  for (const TensorOperation& earlier : operations_)
    if (earlier.kind == TensorOperationKind::reshard && earlier.inputs[0] == id && earlier.axis == axis &&
        (*this)[earlier.output].layout[axis] == to)
      return earlier.output;
  if (!transition((*this)[id].layout[axis], to))
    throw std::logic_error((*this)[id].name + " cannot be placed like that");
  TensorOperation operation{TensorOperationKind::reshard, (*this)[id].name, {id}};
  operation.axis = axis;
  operation.keep = keep == Keep::yes;
  Layout layout = (*this)[id].layout;
  layout[axis] = to;
  std::vector<Dim> dims = (*this)[id].dims;
  return add(std::move(operation), std::move(dims), layout);
}

}  // namespace orrery::core
