#include "workload/parallelism/held_parameters.hpp"

#include "workload/parallelism/step_builder.hpp"

namespace orrery::core {
namespace {

// Returns the zeros of each tensor, by its number.
std::vector<LayerSparsity> sparsity_of_weights(const ShardedGraph& graph, const ModelSparsity& sparsity) {
  std::vector<LayerSparsity> of_weights(graph.tensors().size());
  for (const TensorOperation& operation : graph.operations()) {
    if (!is_linear_product(graph, operation)) continue;
    for (const TensorId id : operation.inputs)
      if (graph[id].role == TensorRole::weight) of_weights[index_of(id)] = sparsity.of(name_of(operation));
  }
  return of_weights;
}

}  // namespace

std::vector<Parameter> held_parameters(const ShardedGraph& graph, const ModelSparsity& sparsity) {
  const std::vector<LayerSparsity> of_weights = sparsity_of_weights(graph, sparsity);
  std::vector<Parameter> parameters;
  for (std::size_t t = 0; t < graph.tensors().size(); ++t) {
    const Tensor& tensor = graph.tensors()[t];
    if (tensor.role != TensorRole::weight) continue;
    const auto elements = static_cast<std::uint64_t>(graph.local_elements(static_cast<TensorId>(t)));
    parameters.push_back({tensor.name,
                          of_weights[t].stored_weights(elements),
                          of_weights[t].index_bytes(elements),
                          tensor.layout,
                          {},
                          block_input});
  }
  return parameters;
}

}  // namespace orrery::core
