#include "workload/models/training_operators.hpp"

#include <cmath>
#include <utility>

namespace orrery::core {
namespace {

// The operations of an input gradient, and how often it reads the layer's outputs and inputs.
struct BackwardPass {
  double flops;  // per element of the forward pass's operations
  std::uint64_t reads_outputs, reads_inputs;
};

// The pass writes the input's gradient; it reads that of the output and the data that the derivative needs.
BackwardPass backward_pass(LayerKind kind) {
  switch (kind) {
    case LayerKind::batch_norm:
      return {7.0 / 4, 1, 2};  // the input twice: sums over the batch, then the gradient
    case LayerKind::lrn:
      return {1.5, 2, 1};
    case LayerKind::softmax:
      return {1, 2, 0};
    case LayerKind::relu:
    case LayerKind::dropout:
      return {1, 2, 0};  // the gradient, and the output or mask
    case LayerKind::pooling:
      return {1, 1, 1};
    default:
      return {1, 1, 0};
  }
}

// Returns the product with the share of its rows that a mask leaves on average.
Gemm executed(Gemm gemm, double share) {
  if (share < 1) gemm.m = static_cast<std::uint64_t>(std::ceil(double(gemm.m) * share));
  return gemm;
}

Gemm forward_product(const NetworkLayer& layer) {
  if (const auto* convolution = std::get_if<Convolution>(&layer.work)) return product_of(*convolution);
  return executed(std::get<Gemm>(layer.work), layer.executed);
}

bool is_product(const NetworkLayer& layer) {
  return !std::holds_alternative<Elementwise>(layer.work);
}

Gemm gradient_of_left(const Gemm& g) {
  return {g.m, g.k, g.n, g.batch};
}
Gemm gradient_of_right(const Gemm& g) {
  return {g.k, g.n, g.m, g.batch};
}

}  // namespace

bool is_weighted_product(const NetworkLayer& layer) {
  return layer.weights > 0 && is_product(layer);
}

std::vector<Operator> forward_operators(const NetworkLayer& layer, Datatype type,
                                        const LayerSparsity& sparsity) {
  if (std::holds_alternative<Gemm>(layer.work))
    return {{layer.name, forward_product(layer), type, sparsity.forward()}};
  return {std::visit(
      [&](const auto& work) {
        return Operator{layer.name, work, type, sparsity.forward()};
      },
      layer.work)};
}

std::vector<Operator> input_gradient_operators(const NetworkLayer& layer, Datatype type,
                                               const LayerSparsity& sparsity) {
  if (!layer.has_input_gradient) return {};
  if (is_product(layer)) {
    const Gemm product = forward_product(layer);
    std::vector<Operator> operators{{layer.name, gradient_of_left(product), type, sparsity.input_gradient()}};
    if (layer.weights == 0) operators.push_back({layer.name, gradient_of_right(product), type});
    return operators;
  }
  if (layer.kind == LayerKind::addition) return {};      // every branch gets the gradient as it is
  const auto& work = std::get<Elementwise>(layer.work);  // of the forward pass
  if (layer.kind == LayerKind::operations) return {{layer.name, work, type}};
  const BackwardPass pass = backward_pass(layer.kind);
  const std::uint64_t inputs =
      layer.kind == LayerKind::batch_norm ? work.elements_written : work.elements_read;
  const std::uint64_t read = pass.reads_outputs * work.elements_written + pass.reads_inputs * inputs;
  return {{layer.name, Elementwise{pass.flops * work.flops, read, inputs}, type}};
}

std::vector<Operator> weight_gradient_operators(const NetworkLayer& layer, Datatype type,
                                                const LayerSparsity& sparsity) {
  // Norms get the gradients of their few parameters together with the sums over the batch for the input
  // gradient.
  if (layer.weights == 0) return {};
  if (is_product(layer))
    return {{layer.name, gradient_of_right(forward_product(layer)), type, sparsity.weight_gradient()}};
  const auto& lookups = std::get<Elementwise>(layer.work);  // of an embedding: the rows looked up change
  return {
      {layer.name,
       Elementwise{lookups.flops, lookups.elements_read + lookups.elements_written, lookups.elements_read},
       type}};
}

}  // namespace orrery::core
