#include "workload/training/step/training_program.hpp"

#include <fmt/format.h>

#include "workload/training/stages/stage_of_blocks.hpp"
#include "workload/training/stages/stage_walk.hpp"

namespace orrery::core {

namespace {

// Writes each pass of a micro-batch through a chunk as one node.
class StageOfPasses : public StageGraph {
 public:
  using StageGraph::StageGraph;

  void pass(const PassPart& part) {
    begin_pass();
    if (setup().passes_begin_together && setup().plan.pipeline > 1) meet(part.slot);
    Operation whole = like(part.slot, OperationKind::compute, part.duration);
    whole.communication = part.communication;
    whole.contention = part.contention;
    std::array<WaitWithin, axis_count> waits;
    std::size_t count = 0;
    for (const Axis axis : all_axes)
      if (const Time exposed = part.exposed[static_cast<std::size_t>(axis)]; exposed > Time())
        waits[count++] = {costs().communicators().along(axis), exposed};
    whole.waits_within = graph().waits_within(std::span(waits).first(count));
    const Id id = graph().append(whole);
    if (notes()) notes()->note_pass(id, part);
    end_pass();
  }

 private:
  // Ranks whose layers communicate go through them in step, so they begin when the last one has got its
  // message from the stage before.
  void meet(const PipelineSlot& slot) {
    for (const Axis axis : all_axes) {
      const std::uint32_t group = costs().communicators().along(axis);
      if (axis == Axis::data || setup().mesh().size(mesh_axis(axis)) == 1) continue;
      Operation barrier = like(slot, OperationKind::collective);
      barrier.collective.kind = CollectiveKind::barrier;
      barrier.collective.dimensions.set();
      barrier.collective.communicator = group;
      barrier.collective.takes = Time();
      graph().wait_for(graph().after(graph().last(), barrier));
    }
  }
};

template <class Stage>
ProgramPart part_of(const TrainingSetup& setup, const StageCosts& costs, int stage, StageNotes* notes) {
  const PipelineShape shape = setup.pipeline();
  Stage graph(setup, costs, stage, notes);
  StageWalk walk(setup, costs, stage, graph);
  for (const PipelineSlot& slot : pipeline_slots(shape, stage)) walk.pass(slot);
  walk.update();
  return {fmt::format("stage {}", stage), graph.take(),
          setup.mesh().ranks_of_stage(static_cast<std::uint64_t>(stage)),
          micro_batches_in_flight(shape, stage), graph.hides_end()};
}

}  // namespace

double operations_of_step(const TrainingSetup& setup, PassDetail detail) {
  const PipelineShape shape = setup.pipeline();
  // Each pass is an operation, and between stages each pass has a send and a receive. A block has some twenty
  // operators and collectives, or forty.
  const double blocks = static_cast<double>(setup.model.layers) / shape.chunks();
  const double of_block = detail == PassDetail::operators ? 40 : detail == PassDetail::blocks ? 20 : 0;
  const double per_pass = (shape.stages > 1 ? 3 : 1) + of_block * blocks;
  return double(pipeline_passes(shape)) * shape.stages * per_pass;
}

void require_training_program_fits(const TrainingSetup& setup, PassDetail detail) {
  require_program_fits(operations_of_step(setup, detail), setup.where,
                       fmt::format("{} micro-batches of a training step", setup.pipeline().micro_batches),
                       "make `batch.micro` or `parallelism.data` larger, or `batch.global` smaller");
}

Program training_program(const TrainingSetup& setup, const StageCosts& costs, PassDetail detail,
                         TrainingNotes* notes) {
  require_training_program_fits(setup, detail);
  Program program;
  program.where = setup.where;
  program.communicators = costs.communicators().all();
  if (notes) notes->resize(static_cast<std::size_t>(setup.pipeline().stages));
  for (int stage = 0; stage < setup.pipeline().stages; ++stage) {
    StageNotes* const of_stage = notes ? &(*notes)[static_cast<std::size_t>(stage)] : nullptr;
    program.parts.push_back(
        detail == PassDetail::one_node ? part_of<StageOfPasses>(setup, costs, stage, of_stage)
        : detail == PassDetail::blocks ? part_of<StageOfBlocks>(setup, costs, stage, of_stage)
                                       : part_of<StageOfOperators>(setup, costs, stage, of_stage));
  }
  return program;
}

}  // namespace orrery::core
