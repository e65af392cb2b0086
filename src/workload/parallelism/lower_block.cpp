#include "workload/parallelism/lower_block.hpp"

#include "workload/parallelism/lower_gradients.hpp"
#include "workload/parallelism/step_builder.hpp"

namespace orrery {

RankBlock lower_block(const ShardedGraph& graph, const LoweringChoices& choices) {
  StepBuilder forward(graph, choices);
  std::vector<Waits> ready(graph.tensors().size());
  for (std::size_t t = 0; t < ready.size(); ++t)
    if (graph.tensors()[t].role != TensorRole::weight) ready[t] = {block_input};
  for (const OperationGroup& group : forward.groups()) forward.run(group, StepPhase::forward, ready);
  RankBlock block;
  block.output = ready[index_of(graph.output)].back();
  block.forward = forward.take();
  lower_gradients(graph, choices, block);
  return block;
}

}  // namespace orrery
