#include "workload/generate/model_memory.hpp"

#include <cmath>
#include <utility>

#include "workload/models/network_memory.hpp"
#include "workload/pipeline/pipeline_program.hpp"
#include "workload/pipeline/pipeline_schedule.hpp"

namespace orrery::core {
namespace {

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

// Returns the demand with the parameters and elements of one NPU among this many.
TrainingDemand demand_of(const NeuralNetwork& network, std::uint64_t npus, TrainingDemand demand) {
  const TrainingDemand all = training_demand(network, npus);
  demand.parameters = all.parameters;
  demand.index_bytes = all.index_bytes;
  demand.elements = all.elements;
  demand.most_at_once = all.most_at_once;
  return demand;
}

// Divides the activations of a batch among the rows. A row gets the amount by which the memory grows when its
// layers are added to the layers before them. `rows` are those of the network's layers.
void divide_activations(const NeuralNetwork& network, const std::vector<std::size_t>& rows,
                        const MemoryConditions& conditions, std::vector<Bytes>& activations) {
  NeuralNetwork first = network;
  first.layers.clear();
  Bytes before;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    first.layers.push_back(network.layers[i]);
    const TrainingDemand demand = demand_of(first, conditions.npus, conditions.demand);
    const DeviceMemory memory =
        memory_of_training(conditions.profile, demand, network.batch, DevicePlace::first);
    const Bytes now = Bytes::rounded(memory.activations);
    activations[rows[i]] += now - before;
    before = now;
  }
}

// Judges the memory of each stage from the parameters of its layers, and the activations of as many
// micro-batches as are in flight there.
ModelMemory pipeline_memory(const NeuralNetwork& network, const LayerTable& table,
                            const MemoryConditions& conditions) {
  const auto chunks = pipeline_chunks(table, conditions.stages);
  const PipelineShape shape{table.pipeline->schedule, conditions.stages, table.pipeline->micro_batches,
                            table.pipeline->virtual_stages};
  const std::vector<std::size_t> rows = rows_of(network, table);
  const auto micro_batches = static_cast<std::uint64_t>(shape.micro_batches);
  ModelMemory made;
  made.table.activations.resize(table.layers.size());
  for (int stage = 0; stage < conditions.stages; ++stage) {
    NeuralNetwork part = network;
    part.layers.clear();
    if (stage > 0) part.input = {};
    std::vector<std::size_t> rows_of_part;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (auto chunk = static_cast<std::size_t>(stage); chunk < chunks.size();
           chunk += static_cast<std::size_t>(conditions.stages)) {
        const auto [first, end] = chunks[chunk];
        const auto row = static_cast<std::int32_t>(rows[i]);
        if (row < first || row >= end) continue;
        part.layers.push_back(network.layers[i]);
        rows_of_part.push_back(rows[i]);
      }
    }
    const TrainingDemand one = demand_of(part, 1, conditions.demand);
    const double in_flight = micro_batches_in_flight(shape, stage);
    const auto kept = static_cast<std::uint64_t>(std::ceil(in_flight * double(network.batch)));
    MemoryVerdict verdict =
        judge_memory(conditions.profile, one, kept, conditions.capacity, conditions.demand.sharding.ranks);
    verdict.before_training.reset();
    verdict.on_others.reset();
    verdict.batch = micro_batches * network.batch;
    verdict.largest_batch =
        micro_batches * static_cast<std::uint64_t>(double(verdict.largest_batch) / in_flight);
    made.table.stages.push_back(verdict.required);
    divide_activations(part, rows_of_part, conditions, made.table.activations);
    if (stage == 0 || verdict.required.total() > made.verdict.required.total()) made.verdict = verdict;
  }
  return made;
}

}  // namespace

ModelMemory model_memory(const NeuralNetwork& network, const LayerTable& table,
                         const MemoryConditions& conditions) {
  if (table.pipeline) return pipeline_memory(network, table, conditions);
  ModelMemory made;
  made.verdict = judge_memory(conditions.profile, demand_of(network, conditions.npus, conditions.demand),
                              network.batch, conditions.capacity, conditions.demand.sharding.ranks);
  made.table.stages = {made.verdict.required};
  made.table.activations.resize(table.layers.size());
  divide_activations(network, rows_of(network, table), conditions, made.table.activations);
  return made;
}

}  // namespace orrery::core
