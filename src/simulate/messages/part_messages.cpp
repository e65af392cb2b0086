#include "simulate/messages/part_messages.hpp"

#include <algorithm>

namespace orrery::core {

PartMessages::PartMessages(const Program& program, const RankClasses& classes, const RankParts& parts)
    : program_(program), classes_(classes) {
  for (const ClassId of_class : first_ids<ClassId>(classes.count())) {
    const std::vector<RankId>& ranks = program.parts[parts.of(of_class)].ranks;
    const auto found = std::ranges::lower_bound(ranks, classes.representative(of_class));
    place_.push_back(static_cast<std::uint32_t>(found - ranks.begin()));
  }
}

std::uint64_t PartMessages::count() const {
  std::uint64_t messages = 0;
  for (const ProgramPart& part : program_.parts) {
    const ExecutionGraph& graph = part.graph;
    for (ExecutionGraph::Id id = 0; id < graph.size(); ++id)
      if (graph.kind(id) == OperationKind::send) messages += part.size();
  }
  return messages;
}

}  // namespace orrery::core
