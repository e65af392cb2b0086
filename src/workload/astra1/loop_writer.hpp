// Writes a training loop as an execution graph, by the primitives that the loops are made of
// (docs/models/training-loops.md, Primitives).
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "base/dialect.hpp"
#include "program/graph_builder.hpp"
#include "workload/astra1/gradient_store.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/astra1/participation.hpp"

namespace orrery::core {

class LoopWriter {
 public:
  // `table` has to be scaled. Gradients are exchanged through `store`, or by collectives if it is null.
  LoopWriter(LayerTable table, const GroupLayout& layout, const Dialect& dialect,
             GradientStore* store = nullptr)
      : table_(std::move(table)),
        layout_(layout),
        dialect_(dialect),
        store_(store),
        graph_(table_.names()),
        outstanding_(table_.layers.size()) {}

  int layers() const { return static_cast<int>(table_.layers.size()); }
  const LayerTable& table() const { return table_; }
  int iteration() const { return iteration_; }  // training steps that are written
  bool is_all_to_all(int layer, Pass pass) const;

  // Computes the layer's pass, when the host has launched it.
  void compute(int layer, Pass pass);
  // Waits until the host has started the exchange of the layer's gradients.
  void call_exchange(int layer);
  // Waits until the host has evaluated the outputs of a pass.
  void evaluate();
  // Takes one step from state to state.
  void hop();
  // Starts the layer's collective, while the program goes on.
  void issue(int layer, Pass pass) { issue(layer, pass, false); }
  void issue_urgently(int layer, Pass pass) { issue(layer, pass, true); }
  // Starts a collective of no layer's own, which counts among the first layer's exchanges of gradients. One
  // of no bytes is none.
  void exchange(CollectiveKind kind, Bytes size);
  // Makes whatever comes next wait until the layer's collectives of this pass are complete.
  void wait(int layer, Pass pass);
  void blocking(int layer, Pass pass);
  void end_pass();

  // Ends the program when all its collectives are complete.
  ExecutionGraph finish();

 private:
  using Outstanding = std::array<std::vector<ExecutionGraph::Id>, passes_of_a_layer>;

  void issue(int layer, Pass pass, bool urgent);
  void wait_for_host(HostWork work, Pass pass, int layer, Time time);
  const Layer& layer(int number) const { return table_.layers[static_cast<std::size_t>(number)]; }
  std::vector<ExecutionGraph::Id>& outstanding(int layer, Pass pass) {
    return outstanding_[static_cast<std::size_t>(layer)][static_cast<std::size_t>(pass)];
  }

  const LayerTable table_;
  const GroupLayout layout_;
  Dialect dialect_;
  GradientStore* const store_;
  GraphBuilder graph_;
  std::vector<Outstanding> outstanding_;  // collectives that nobody has waited for yet
  int iteration_ = 0;
};

}  // namespace orrery::core
