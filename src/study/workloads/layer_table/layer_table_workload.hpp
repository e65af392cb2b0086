// Layers with times and collectives: training loops, pipelines and parameter servers over a layer table.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "compute/contention.hpp"
#include "memory/memory_verdict.hpp"
#include "study/run/workload.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/generate/trained_model.hpp"

namespace orrery::core {

class LayerTableWorkload final : public Workload {
 public:
  // Takes layers that give their times themselves. Nothing is known about their memory.
  explicit LayerTableWorkload(LayerTable table);
  explicit LayerTableWorkload(TrainedModel trained);

  const LayerTable& table() const { return table_; }

  RunKind kind(const RunSpec& spec) const override;
  std::size_t size() const override { return table_.layers.size(); }
  std::string work() const override { return work_; }
  void prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const override;
  bool has_measured_kin(const RunSpec& spec) const override;
  Summary summary(const RunSpec& spec, const RunResult& result) const override;
  std::unique_ptr<ComputedWork> computed_work(const RunSpec& spec, const RunResult& result) const override;
  std::vector<PartMemory> memory_history(const RunResult& result) const override;

 private:
  // Returns the table with what computation and collectives take from each other on the device.
  LayerTable contended(const RunSpec& spec) const;

  LayerTable table_;
  std::string work_;
  std::optional<MemoryVerdict> memory_;  // set for a model on a device
  TableMemory table_memory_;             // set for a model on a device
  ModelOperators operators_;             // operators that the times come from
  double inferred_samples_ = 0;          // of a pass; 0: it is training
  // What contended() made last. Runs that share the workload mostly have the same load, and threads share
  // both.
  struct Contended {
    EndpointLoad load;
    LayerTable table;
  };
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Contended> last_;
};

}  // namespace orrery::core
