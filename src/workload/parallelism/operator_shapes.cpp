#include "workload/parallelism/operator_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace orrery::core {
namespace {

bool has(const Tensor& tensor, Dim dim) {
  return std::find(tensor.dims.begin(), tensor.dims.end(), dim) != tensor.dims.end();
}

Gemm shape_of(const ShardedGraph& graph, const TensorOperation& product) {
  const Tensor &rows = graph[product.inputs[0]], &columns = graph[product.inputs[1]];
  const Tensor& result = graph[product.output];
  Gemm gemm;
  for (const Dim dim : rows.dims) {
    const std::uint64_t size = graph.local_size(dim, rows.layout);
    (!has(result, dim) ? gemm.k : has(columns, dim) ? gemm.batch : gemm.m) *= size;
  }
  for (const Dim dim : columns.dims)
    if (!has(rows, dim)) gemm.n *= graph.local_size(dim, columns.layout);
  gemm.m = static_cast<std::uint64_t>(std::ceil(double(gemm.m) * rows.density));
  return gemm;
}

std::uint64_t rounded(double elements) {
  return static_cast<std::uint64_t>(std::llround(std::min(elements, 9e18)));
}

// Norms read their weights, too.
double weight_elements(const ShardedGraph& graph, const TensorOperation& operation) {
  double elements = 0;
  if (operation.kind == TensorOperationKind::product) return elements;
  for (const TensorId id : operation.inputs)
    if (graph[id].role == TensorRole::weight) elements += graph.local_elements(id);
  return elements;
}

}  // namespace

bool is_matrix_product(const TensorOperation& operation) {
  return operation.kind == TensorOperationKind::product && operation.kernel == Kernel::by_kind;
}

bool is_copy(const TensorOperation& operation) {
  return operation.kind == TensorOperationKind::rename || operation.kind == TensorOperationKind::reshard;
}

Gemm gemm_of(const ShardedGraph& graph, std::span<const TensorOperation> products) {
  Gemm gemm = shape_of(graph, products.front());
  for (const TensorOperation& product : products.subspan(1)) gemm.n += shape_of(graph, product).n;
  return gemm;
}

Attention attention_of(const ShardedGraph& graph, std::span<const TensorOperation> operations, bool causal) {
  const Gemm scores = shape_of(graph, operations.front()), results = shape_of(graph, operations.back());
  const Tensor& keys = graph[operations.front().inputs[1]];
  Attention attention;
  attention.keys = scores.n;
  attention.kv_heads = scores.batch;
  attention.width = 0;  // queries may have several parts
  for (const TensorOperation& operation : operations.first(operations.size() - 1))
    if (operation.kind == TensorOperationKind::product) attention.width += shape_of(graph, operation).k;
  attention.value_width = results.n;
  attention.causal = causal;
  // Queries of heads that share their keys are rows of one product. The first dimension of the queries that
  // keys lack is that of the sequence.
  const Tensor& queries = graph[operations.front().inputs[0]];
  const auto sequence = std::find_if(queries.dims.begin(), queries.dims.end(), [&](Dim dim) {
    return !has(keys, dim) && has(graph[operations.front().output], dim);
  });
  attention.queries = sequence == queries.dims.end() ? 1 : graph.local_size(*sequence, queries.layout);
  attention.heads = scores.batch * (scores.m / attention.queries);
  return attention;
}

std::optional<Elementwise> elementwise_of(const ShardedGraph& graph,
                                          std::span<const TensorOperation> operations, ElementPass pass) {
  double flops = 0, read = 0, written = 0;
  std::optional<PointwiseKind> kind;  // of the first operation that costs anything
  for (const TensorOperation& operation : operations) {
    const ElementCost& cost = operation.cost;
    if (cost == ElementCost{}) continue;
    kind = kind.value_or(operation.pointwise);
    const double elements = graph.local_elements(operation.output);
    const double weights = weight_elements(graph, operation);
    switch (pass) {
      case ElementPass::forward:
        flops += cost.flops * elements;
        read += cost.read * elements + weights;
        written += cost.written * elements;
        break;
      case ElementPass::input_gradient:
        flops += cost.gradient_flops * elements;
        read += cost.gradient_read * elements;
        if (operation.kind == TensorOperationKind::row_wise) read += weights;
        written += cost.gradient_written * elements;
        break;
      case ElementPass::weight_gradient:
        flops += cost.weight_flops * elements;
        read += cost.weight_read * elements;
        written += cost.weight_written * elements + weights;
        break;
    }
  }
  if (!kind) return std::nullopt;
  return Elementwise{flops, rounded(read), rounded(written), *kind, pass != ElementPass::forward};
}

}  // namespace orrery::core
