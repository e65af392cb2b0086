// Layers with times and collectives: training loops, pipelines and parameter servers over a layer table.
#pragma once

#include <memory>

#include "memory/memory_verdict.hpp"
#include "study/workload.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/generate/trained_model.hpp"

namespace orrery {

class LayerTableWorkload final : public Workload {
 public:
  // `memory` is that of a model on a device; null where there is none. `operators` stand behind the times.
  explicit LayerTableWorkload(LayerTable table, std::shared_ptr<const MemoryVerdict> memory = {},
                              ModelOperators operators = {});

  const LayerTable& table() const { return table_; }

  RunKind kind(const RunSpec& spec) const override;
  std::size_t size() const override { return table_.layers.size(); }
  void prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const override;
  Summary summary(const RunSpec& spec, const RunResult& result) const override;
  std::unique_ptr<ComputedWork> computed_work(const RunSpec& spec, const RunResult& result) const override;

 private:
  LayerTable table_;
  std::shared_ptr<const MemoryVerdict> memory_;
  ModelOperators operators_;
};

}  // namespace orrery
