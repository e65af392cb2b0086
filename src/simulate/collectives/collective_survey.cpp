#include "simulate/collectives/collective_survey.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace orrery::core {

CollectiveSurvey::Use& use_of(std::vector<CollectiveSurvey::Use>& uses, const LogicalDimension& dimension) {
  const auto found = std::ranges::find(uses, dimension, &CollectiveSurvey::Use::dimension);
  return found == uses.end() ? uses.emplace_back(CollectiveSurvey::Use{dimension}) : *found;
}

void add_peers(std::vector<PeerMessages>& peers, const LogicalDimension& group,
               const ExchangeSchedule& exchange, bool turns) {
  const bool exclusive_or = exchange.peer == ExchangeSchedule::Peer::exclusive_or;
  const std::size_t steps = std::min<std::size_t>(exchange.steps.size(), exchange.messages);
  for (std::size_t k = 0; k < steps; ++k) {
    const std::uint32_t amount = exchange.steps[k].amount;
    peers.push_back({group, exclusive_or, amount});
    if (turns && !exclusive_or)
      peers.push_back({group, exclusive_or, static_cast<std::uint32_t>(group.size) - amount});
  }
  std::ranges::sort(peers);
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
}

CollectiveSurvey survey_of_groups(const Program& program) {
  CollectiveSurvey survey;
  std::set<std::pair<std::uint32_t, unsigned long>> groups;  // communicators, and their dimensions in use
  for (const ProgramPart& part : program.parts) {
    for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id) {
      if (part.graph.kind(id) != OperationKind::collective) continue;
      ++survey.collectives;
      const CollectiveRequest& request = part.graph.collective(id);
      groups.insert({request.communicator, request.dimensions.to_ulong()});
    }
  }
  for (const auto& [communicator, taking_part] : groups) {
    const std::vector<LogicalDimension>& dimensions = program.communicators[communicator].dimensions;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      if (DimensionSet(taking_part)[d]) survey.uses.push_back({dimensions[d]});
  }
  return survey;
}

}  // namespace orrery::core
