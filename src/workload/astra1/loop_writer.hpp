// Writes a training loop down as an execution graph, by the primitives that the loops are made of
// (docs/models/training-loops.md, Primitives).
#pragma once

#include <array>
#include <vector>

#include "base/dialect.hpp"
#include "program/graph_builder.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/astra1/participation.hpp"

namespace orrery {

struct Scales {
  double compute = 1;
  double communication = 1;
};

class LoopWriter {
 public:
  LoopWriter(const LayerTable& table, const GroupLayout& layout, const Dialect& dialect,
             const Scales& scales);

  int layers() const { return static_cast<int>(layers_.size()); }
  const LayerTable& table() const { return table_; }
  bool is_all_to_all(int layer, Pass pass) const;

  void compute(int layer, Pass pass);
  // One step from state to state.
  void hop();
  // Starts the layer's collective; the program goes on.
  void issue(int layer, Pass pass) { issue(layer, pass, false); }
  void issue_urgently(int layer, Pass pass) { issue(layer, pass, true); }
  // Makes whatever comes next wait until the layer's collectives of this pass are complete.
  void wait(int layer, Pass pass);
  void blocking(int layer, Pass pass);
  void end_pass();

  // The program ends when all its collectives are complete.
  ExecutionGraph finish();

 private:
  struct ScaledStep {
    Time compute;
    bool communicates;
    CollectiveRequest collective;
  };
  struct ScaledLayer {
    std::array<ScaledStep, passes_of_a_layer> steps;
    std::array<std::vector<ExecutionGraph::Id>, passes_of_a_layer> outstanding;
  };

  void issue(int layer, Pass pass, bool urgent);
  ScaledStep& step(int layer, Pass pass) { return layers_[layer].steps[static_cast<std::size_t>(pass)]; }

  const LayerTable& table_;
  Dialect dialect_;
  GraphBuilder graph_;
  std::vector<ScaledLayer> layers_;
  int iteration_ = 0;
};

}  // namespace orrery
