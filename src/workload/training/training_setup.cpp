#include "workload/training/training_setup.hpp"

namespace orrery {

RankMesh TrainingSetup::mesh() const {
  return {{plan.tensor, plan.context, plan.expert, plan.data / plan.expert, plan.pipeline}, order};
}

PipelineShape TrainingSetup::pipeline() const {
  return {schedule, static_cast<int>(plan.pipeline), static_cast<int>(plan.micro_batches()),
          static_cast<int>(plan.chunks)};
}

}  // namespace orrery
