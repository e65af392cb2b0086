#include "study/compare/simulated_ranks.hpp"

#include "report/profile/simulated_activities.hpp"
#include "report/timeline/programs/program_timeline.hpp"

namespace orrery::core {

std::vector<RankActivities> simulated_ranks(const RunSpec& spec, const RunResult& result) {
  const Summary summary = spec.workload->summary(spec, result);
  SimulatedActivities activities(spec.name);
  ProgramTimeline(result.program, result.recording, summary.training ? whole_passes : layer_passes)
      .describe(activities);
  std::vector<RankActivities> ranks = activities.take();
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i].ranks = result.program.parts[i].ranks;
  return ranks;
}

}  // namespace orrery::core
