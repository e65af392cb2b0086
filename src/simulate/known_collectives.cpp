#include "simulate/known_collectives.hpp"

#include <algorithm>

namespace orrery {

bool has_known_collectives(const Program& program) {
  return std::ranges::any_of(program.parts, [](const ProgramPart& part) {
    for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id)
      if (part.graph.kind(id) == OperationKind::collective && part.graph.collective(id).takes) return true;
    return false;
  });
}

std::vector<CollectiveService::Waiting> KnownCollectives::waiting() const {
  std::vector<Waiting> all = TimedCollectives::waiting();
  std::ranges::move(others_->waiting(), std::back_inserter(all));
  return all;
}

}  // namespace orrery
