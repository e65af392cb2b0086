#include "workload/models/network_memory.hpp"

namespace orrery {
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

}  // namespace

ActivationClasses activation_elements(const NeuralNetwork& network) {
  ActivationClasses elements;
  elements.input = double(network.input.elements());
  for (const NetworkLayer& layer : network.layers)
    class_of(layer.kind, elements) += double(layer.output.elements());
  return elements;
}

TrainingDemand training_demand(const NeuralNetwork& network) {
  TrainingDemand demand;
  demand.parameters = double(network.parameters());
  demand.elements = activation_elements(network);
  return demand;
}

}  // namespace orrery
