#include "workload/models/network_memory.hpp"

#include <algorithm>

namespace orrery::core {
namespace {

double& class_of(LayerKind kind, ActivationClasses& elements) {
  switch (kind) {
    case LayerKind::pooling:
      return elements.pooling;
    case LayerKind::concatenation:
      return elements.concatenation;
    case LayerKind::batch_norm:
    case LayerKind::relu:
    case LayerKind::addition:
    case LayerKind::shortcut:
      return elements.in_place;
    default:
      return elements.products;
  }
}

// Returns the elements of a layer's output for one sample. Layers that are given by their sizes state those
// of the whole batch.
double output_elements_of(const NetworkLayer& layer, std::uint64_t batch) {
  if (layer.output.elements() > 0) return double(layer.output.elements());
  const auto* gemm = std::get_if<Gemm>(&layer.work);
  return gemm ? double(gemm->m) * double(gemm->n) * double(gemm->batch) / double(batch) : 0;
}

double input_elements_of(const NetworkLayer& layer, std::uint64_t batch) {
  if (layer.input.elements() > 0) return double(layer.input.elements());
  const auto* gemm = std::get_if<Gemm>(&layer.work);
  return gemm ? double(gemm->m) * double(gemm->k) * double(gemm->batch) / double(batch) : 0;
}

double sum(const ActivationClasses& elements) {
  return elements.products + elements.pooling + elements.concatenation + elements.in_place;
}

void add(ActivationClasses& to, const ActivationClasses& more) {
  to.products += more.products;
  to.pooling += more.pooling;
  to.concatenation += more.concatenation;
  to.in_place += more.in_place;
}

}  // namespace

ActivationClasses activation_elements(const NeuralNetwork& network) {
  ActivationClasses elements, block, largest_block;
  elements.input = double(network.input.elements());
  std::size_t blocks = 0;  // that have begun
  bool in_block = false;
  for (const NetworkLayer& layer : network.layers) {
    if (blocks < network.checkpoints.size() && layer.name == network.checkpoints[blocks]) {
      elements.products += input_elements_of(layer, network.batch);
      block = {};
      in_block = true;
      ++blocks;
    }
    class_of(layer.kind, in_block ? block : elements) += output_elements_of(layer, network.batch);
    if (!in_block || layer.name != network.recomputed_at[blocks - 1]) continue;
    in_block = false;
    if (sum(block) > sum(largest_block)) largest_block = block;
  }
  add(elements, largest_block);
  return elements;
}

TrainingDemand training_demand(const NeuralNetwork& network, std::uint64_t npus) {
  const bool spread =
      network.policy == TrainingPolicy::hybrid_dlrm || network.policy == TrainingPolicy::hybrid_dlrm_enhanced;
  TrainingDemand demand;
  for (const NetworkLayer& layer : network.layers) {
    demand.parameters +=
        double(layer.parameters()) / (spread && layer.kind == LayerKind::embedding ? double(npus) : 1.0);
    demand.index_bytes += layer.index_bytes;
  }
  demand.elements = activation_elements(network);
  for (const NetworkLayer& layer : network.layers)
    demand.most_at_once = std::max(demand.most_at_once, input_elements_of(layer, network.batch) +
                                                            output_elements_of(layer, network.batch));
  return demand;
}

}  // namespace orrery::core
