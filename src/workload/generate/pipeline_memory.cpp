#include "workload/generate/pipeline_memory.hpp"

#include <cmath>
#include <vector>

#include "workload/models/network_memory.hpp"
#include "workload/pipeline/pipeline_program.hpp"

namespace orrery {
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

}  // namespace

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
    const TrainingDemand all = training_demand(part);
    TrainingDemand one = demand;
    one.parameters = all.parameters;
    one.elements = all.elements;
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

}  // namespace orrery
