// Builds the steps of a block, one group of operations after the other; forward and backward passes share it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "workload/parallelism/block.hpp"
#include "workload/parallelism/lower_block.hpp"
#include "workload/parallelism/operator_shapes.hpp"

namespace orrery::core {

// The steps that something waits for, as in Step::waits: ascending, each once.
using Waits = std::vector<int>;
void merge(Waits& into, const Waits& more);

// A half-open range of operations that form one operator.
struct OperationGroup {
  std::size_t begin, end;
};
std::vector<OperationGroup> groups_of(const std::vector<TensorOperation>& operations);
// Returns the name of the operator that an operation is part of.
const std::string& name_of(const TensorOperation& operation);
// Returns whether an operation multiplies by weights, and may have a number format of linear layers.
bool is_linear_product(const ShardedGraph& graph, const TensorOperation& operation);
// Returns the names of the operators that multiply by weights, and may have a number format of linear layers.
std::vector<std::string> weighted_products(const ShardedGraph& graph);

inline std::size_t index_of(TensorId id) {
  return static_cast<std::size_t>(id);
}

class StepBuilder {
 public:
  // `graph` and `choices` must outlive this object.
  StepBuilder(const ShardedGraph& graph, const LoweringChoices& choices)
      : graph_(graph), choices_(choices), groups_(groups_of(graph.operations())) {}

  const ShardedGraph& graph() const { return graph_; }
  const LoweringChoices& choices() const { return choices_; }
  const std::vector<OperationGroup>& groups() const { return groups_; }
  std::span<const TensorOperation> operations(const OperationGroup& group) const;
  Datatype type_of(TensorId id) const { return graph_[id].type.value_or(choices_.type); }

  // Each add() returns the number of the new step.
  int add(Step step);
  int add(std::span<const TensorOperation> group, StepPhase phase, const OperatorWork& work, Waits waits);
  Operator operator_of(std::span<const TensorOperation> group, StepPhase phase,
                       const OperatorWork& work) const;
  // Adds the exchange that moves a tensor from one layout to another. Returns what the moved tensor waits
  // for, which is `waits` when nothing has to be sent.
  Waits add_exchange(TensorId id, StepPhase phase, Axis axis, Transition how, const Layout& from,
                     const Layout& to, const Waits& waits);
  // Adds the steps that compute a group as in the forward pass. `ready` says, by tensor, what its values wait
  // for.
  void run(const OperationGroup& group, StepPhase phase, std::vector<Waits>& ready);

  std::vector<Step> take() { return std::move(steps_); }

 private:
  const ShardedGraph& graph_;
  const LoweringChoices& choices_;
  std::vector<OperationGroup> groups_;
  std::vector<Step> steps_;
};

}  // namespace orrery::core
