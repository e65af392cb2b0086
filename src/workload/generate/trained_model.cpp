#include "workload/generate/trained_model.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "base/words.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "workload/models/network_layer_table.hpp"
#include "workload/models/network_memory.hpp"
#include "workload/pipeline/pipeline_program.hpp"

namespace orrery {
namespace {

NeuralNetwork shared_network(const NeuralNetwork& network, const Training& training, Warnings& warnings) {
  if (!training.policy) return network;
  return split_network(network, {*training.policy, training.layers, training.machine, training.policy_where},
                       warnings);
}

TrainingFormats formats_of(const Training& training) {
  const Device& device = training.device->facts;
  return training_formats(device, training.type.value_or(usual_datatype(device)));
}

LayerTableOptions table_options(const Training& training) {
  LayerTableOptions options;
  options.where = training.where;
  options.flops_per_second = training.flops_per_second;
  if (training.device) {
    options.device = training.device->model.get();
    const TrainingFormats formats = formats_of(training);
    options.type = formats.tensors;
    options.linear_type = formats.linear;
    options.bytes_per_element = static_cast<int>(bytes_of(options.type));
  }
  options.bytes_per_element = training.bytes_per_element.value_or(options.bytes_per_element);
  return options;
}

// The layers of the network by the row of the table that holds them: a row is named after its first layer.
std::vector<std::size_t> rows_of(const NeuralNetwork& network, const LayerTable& table) {
  std::vector<std::size_t> rows;
  std::size_t row = 0;
  for (const NetworkLayer& layer : network.layers) {
    if (row + 1 < table.layers.size() && table.layers[row + 1].name == layer.name) ++row;
    rows.push_back(row);
  }
  return rows;
}

// Returns the demand with the parameters and elements of one of so many NPUs.
TrainingDemand demand_of(const NeuralNetwork& network, std::uint64_t npus, TrainingDemand demand) {
  const TrainingDemand all = training_demand(network, npus);
  demand.parameters = all.parameters;
  demand.elements = all.elements;
  return demand;
}

// Judges the stage that needs most: parameters of its layers, and activations of as many micro-batches as are
// in flight there. The network is that of one micro-batch; batches of the verdict are those of a training
// step.
MemoryVerdict judge_pipeline_memory(const NeuralNetwork& network, const LayerTable& table, int stages,
                                    const MemoryProfile& profile, const TrainingDemand& demand,
                                    Bytes capacity) {
  const auto chunks = pipeline_chunks(table, stages);
  const PipelineShape shape{table.pipeline->schedule, stages, table.pipeline->micro_batches,
                            table.pipeline->virtual_stages};
  const std::vector<std::size_t> rows = rows_of(network, table);
  const auto micro_batches = static_cast<std::uint64_t>(shape.micro_batches);
  MemoryVerdict worst;
  for (int stage = 0; stage < stages; ++stage) {
    NeuralNetwork part = network;
    part.layers.clear();
    if (stage > 0) part.input = {};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (auto chunk = static_cast<std::size_t>(stage); chunk < chunks.size();
           chunk += static_cast<std::size_t>(stages)) {
        const auto [first, end] = chunks[chunk];
        const auto row = static_cast<std::int32_t>(rows[i]);
        if (row >= first && row < end) part.layers.push_back(network.layers[i]);
      }
    }
    const TrainingDemand one = demand_of(part, 1, demand);
    const double in_flight = micro_batches_in_flight(shape, stage);
    const auto kept = static_cast<std::uint64_t>(std::ceil(in_flight * double(network.batch)));
    MemoryVerdict verdict = judge_memory(profile, one, kept, capacity, demand.sharding.ranks);
    verdict.batch = micro_batches * network.batch;
    verdict.largest_batch =
        micro_batches * static_cast<std::uint64_t>(double(verdict.largest_batch) / in_flight);
    if (stage == 0 || verdict.required.total() > worst.required.total()) worst = verdict;
  }
  return worst;
}

MemoryVerdict memory_of(const NeuralNetwork& network, const Training& training, const LayerTable& table) {
  const Datatype type = formats_of(training).tensors;
  const auto stages = static_cast<std::uint64_t>(training.stages);
  const std::uint64_t replicas = data_parallel_npus(network, training.machine) / stages;
  TrainingDemand demand;
  demand.activation_bytes = bytes_of(type);
  demand.precision = bytes_of(type) < 4 ? Precision::mixed : Precision::fp32;
  demand.optimizer = training.optimizer;
  demand.sharding = {training.sharding, replicas};
  const MemoryProfile profile = find_memory_profile(training.memory_profile, training.memory_where);
  const Bytes capacity = training.device->facts.memory_size;
  MemoryVerdict verdict;
  if (table.pipeline) {
    verdict = judge_pipeline_memory(network, table, training.stages, profile, demand, capacity);
  } else {
    verdict = judge_memory(profile, demand_of(network, training.machine.npus, demand), network.batch,
                           capacity, replicas);
  }
  verdict.where = training.batch_where;
  return verdict;
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

TrainedModel train(const NeuralNetwork& network, const Training& training, Warnings& warnings) {
  if (training.device && training.type)
    require_product_peak(training.device->facts, *training.type, training.type_where);
  const NeuralNetwork shared = shared_network(network, training, warnings);
  TrainedModel trained;
  const LayerTableOptions options = table_options(training);
  trained.table = layer_table_of(shared, options);
  trained.operators.flops_per_second = training.flops_per_second;
  if (training.pipeline) {
    check_pipeline(trained.table, *training.pipeline);
    trained.table.pipeline = training.pipeline;
  }
  if (!training.device) return trained;
  trained.memory = memory_of(shared, training, trained.table);
  trained.operators.model = training.device->model;
  trained.operators.rows = row_operators(shared, options);
  return trained;
}

}  // namespace orrery
