#include "workload/models/neural_network.hpp"

namespace orrery::core {
namespace {

double multiply_accumulates_of(const Gemm& gemm) {
  return double(gemm.batch) * double(gemm.m) * double(gemm.n) * double(gemm.k);
}

}  // namespace

double NetworkLayer::multiply_accumulates() const {
  if (const auto* gemm = std::get_if<Gemm>(&work)) return executed * multiply_accumulates_of(*gemm);
  if (const auto* convolution = std::get_if<Convolution>(&work))
    return multiply_accumulates_of(product_of(*convolution));
  return 0;
}

std::uint64_t NeuralNetwork::parameters() const {
  std::uint64_t sum = 0;
  for (const NetworkLayer& layer : layers) sum += layer.parameters();
  return sum;
}

double NeuralNetwork::multiply_accumulates() const {
  double sum = 0;
  for (const NetworkLayer& layer : layers) sum += layer.multiply_accumulates();
  return sum / double(batch);
}

}  // namespace orrery::core
