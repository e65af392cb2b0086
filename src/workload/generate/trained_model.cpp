#include "workload/generate/trained_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "workload/models/network_layer_table.hpp"
#include "workload/models/training_operators.hpp"

namespace orrery::core {
namespace {

NeuralNetwork shared_network(const NeuralNetwork& network, const Training& training, Warnings& warnings) {
  if (!training.policy) return network;
  return split_network(network, {*training.policy, training.layers, training.machine, training.policy_where},
                       warnings);
}

// Leaves out of the layers' weights what memory does not hold.
NeuralNetwork stored_network(NeuralNetwork network, const ModelSparsity& sparsity) {
  for (NetworkLayer& layer : network.layers) {
    if (!is_weighted_product(layer)) continue;
    const LayerSparsity& own = sparsity.of(layer.name);
    layer.index_bytes = own.index_bytes(layer.weights);
    layer.weights = std::max(std::uint64_t{1}, own.stored_weights(layer.weights));
  }
  return network;
}

TrainingFormats formats_of(const Training& training) {
  const Device& device = training.device->facts;
  if (training.forward_only) return {training.type.value_or(usual_datatype(device)), {}};
  return training_formats(device, training.type.value_or(usual_datatype(device)));
}

LayerTableOptions table_options(const Training& training) {
  LayerTableOptions options;
  options.where = training.where;
  options.forward_only = training.forward_only;
  options.flops_per_second = training.flops_per_second;
  if (training.device) {
    options.device = training.device->model.get();
    const TrainingFormats formats = formats_of(training);
    options.type = formats.tensors;
    options.linear_type = formats.linear;
    options.sparsity = training.sparsity;
    options.bytes_per_element = static_cast<int>(bytes_of(options.type));
  }
  options.bytes_per_element = training.bytes_per_element.value_or(options.bytes_per_element);
  return options;
}

ModelMemory memory_of(const NeuralNetwork& network, const Training& training, const LayerTable& table,
                      const FileLoader& load) {
  const Datatype type = formats_of(training).tensors;
  const auto stages = static_cast<std::uint64_t>(training.stages);
  const std::uint64_t replicas = data_parallel_npus(network, training.machine) / stages;
  TrainingDemand demand;
  demand.activation_bytes = bytes_of(type);
  demand.precision = bytes_of(type) < 4 ? Precision::mixed : Precision::fp32;
  demand.optimizer = training.optimizer;
  demand.sharding = {training.sharding, replicas};
  demand.forward_only = training.forward_only;
  ModelMemory memory =
      model_memory(network, table,
                   {.profile = find_memory_profile(training.memory_profile, training.memory_where, load),
                    .demand = demand,
                    .capacity = training.device->facts.memory_size,
                    .npus = training.machine.npus,
                    .stages = training.stages});
  memory.verdict.where = training.batch_where;
  return memory;
}

void check_pipeline(const LayerTable& table, const PipelineOptions& pipeline) {
  if (table.policy != TrainingPolicy::data)
    throw InputError(pipeline.where,
                     "only models that are trained data parallel can be cut into stages; leave the "
                     "pipeline out");
  for (std::size_t i = 0; i + 1 < table.layers.size(); ++i) {
    if (table.layers[i].output == Bytes())
      throw InputError(
          pipeline.where,
          "the model does not say the shape of what layer " + backquoted(table.layers[i].name) +
              " gives to the next one; leave the pipeline out or describe its layers by their shapes");
  }
}

}  // namespace

TrainedModel train(const NeuralNetwork& network, const Training& training, Warnings& warnings,
                   const FileLoader& load) {
  if (training.device && training.type)
    require_product_peak(training.device->facts, *training.type, training.type_where);
  std::vector<std::string_view> products;
  for (const NetworkLayer& layer : network.layers)
    if (is_weighted_product(layer)) products.push_back(layer.name);
  training.sparsity.require_layers(products);
  const NeuralNetwork shared = stored_network(shared_network(network, training, warnings), training.sparsity);
  TrainedModel trained;
  const LayerTableOptions options = table_options(training);
  trained.table = layer_table_of(shared, options);
  const auto micro_batches =
      static_cast<std::uint64_t>(training.pipeline ? training.pipeline->micro_batches : 1);
  trained.work = fmt::format("{}, {}batch {}", network.name, training.forward_only ? "inference, " : "",
                             network.batch * micro_batches);
  if (training.forward_only)
    trained.inferred_samples =
        static_cast<double>(network.batch * data_parallel_npus(shared, training.machine));
  trained.operators.flops_per_second = training.flops_per_second;
  if (training.pipeline) {
    check_pipeline(trained.table, *training.pipeline);
    trained.table.pipeline = training.pipeline;
  }
  if (!training.device) return trained;
  ModelMemory memory = memory_of(shared, training, trained.table, load);
  trained.memory = memory.verdict;
  trained.table_memory = std::move(memory.table);
  trained.operators.device = *training.device;
  trained.operators.rows = row_operators(shared, options);
  return trained;
}

}  // namespace orrery::core
