#include "workload/generate/trained_model.hpp"

#include <cmath>
#include <utility>

#include "compute/roofline/roofline_model.hpp"
#include "workload/models/network_layer_table.hpp"
#include "workload/models/network_memory.hpp"

namespace orrery {
namespace {

NeuralNetwork shared_network(const NeuralNetwork& network, const Training& training, Warnings& warnings) {
  if (!training.policy) return network;
  return split_network(network, {*training.policy, training.layers, training.machine, training.policy_where},
                       warnings);
}

Datatype type_of(const Training& training) {
  return training.type.value_or(usual_datatype(training.device->facts));
}

LayerTableOptions table_options(const Training& training) {
  LayerTableOptions options;
  options.where = training.where;
  options.flops_per_second = training.flops_per_second;
  if (training.device) {
    options.device = training.device->model.get();
    options.type = type_of(training);
    options.bytes_per_element = static_cast<int>(std::ceil(bytes_of(options.type)));
  }
  options.bytes_per_element = training.bytes_per_element.value_or(options.bytes_per_element);
  return options;
}

MemoryVerdict memory_of(const NeuralNetwork& network, const Training& training) {
  const std::uint64_t replicas = data_parallel_npus(network, training.machine);
  const Datatype type = type_of(training);
  TrainingDemand demand = training_demand(network, training.machine.npus);
  demand.activation_bytes = bytes_of(type);
  demand.precision = bytes_of(type) < 4 ? Precision::mixed : Precision::fp32;
  demand.optimizer = training.optimizer;
  demand.sharding = {training.sharding, replicas};
  MemoryVerdict verdict = judge_memory(find_memory_profile(training.memory_profile, training.memory_where),
                                       demand, network.batch, training.device->facts.memory_size, replicas);
  verdict.where = training.batch_where;
  return verdict;
}

}  // namespace

TrainedModel train(const NeuralNetwork& network, const Training& training, Warnings& warnings) {
  if (training.device && training.type)
    require_product_peak(training.device->facts, *training.type, training.type_where);
  const NeuralNetwork shared = shared_network(network, training, warnings);
  TrainedModel trained;
  if (training.device) trained.memory = memory_of(shared, training);
  trained.table = layer_table_of(shared, table_options(training));
  return trained;
}

}  // namespace orrery
