#include "simulate/collective_survey.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "collective/planner.hpp"
#include "network/analytical/analytical_network.hpp"

namespace orrery {

namespace {

// Sent by one member on average.
double messages_of(const PhaseShape& shape) {
  if (const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule))
    return static_cast<double>(exchange->messages);
  return 2.0 * (shape.group.size - 1) / shape.group.size;
}

void add_use(std::vector<CollectiveSurvey::Use>& uses, const PhaseShape& shape,
             const ContentionFreeNetwork& network) {
  const bool tree = std::holds_alternative<TreeSchedule>(shape.schedule);
  const bool uneven = !tree && (!network.is_uniform(shape.group) || network.has_slow_links(shape.group));
  const auto found = std::find_if(uses.begin(), uses.end(), [&](const CollectiveSurvey::Use& use) {
    return use.dimension == shape.group;
  });
  if (found == uses.end()) {
    uses.push_back({shape.group, tree, uneven});
  } else {
    found->trees = found->trees || tree;
    found->uneven = found->uneven || uneven;
  }
}

}  // namespace

CollectiveSurvey survey_collectives(const ExecutionGraph& graph, const Machine& machine) {
  const AnalyticalNetwork network(machine.topology, machine.dialect, machine.slow_links);
  Planner planner(machine.system, machine.dialect, machine.topology, machine.dimensions, network);
  const double per_message = machine.topology.npus() * (machine.system.rendezvous ? 2.0 : 1.0);
  std::map<std::tuple<CollectiveKind, Bytes, unsigned long>, double> planned;  // messages of one
  CollectiveSurvey survey;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    if (graph[id].kind != OperationKind::collective) continue;
    ++survey.collectives;
    const CollectiveRequest& request = graph[id].collective;
    const auto [entry, added] =
        planned.insert({{request.kind, request.size, request.dimensions.to_ulong()}, 0});
    if (added) {
      for (const ChunkPlan& chunk : planner.plan(request).chunks) {
        for (const PhasePlan& phase : chunk.phases) {
          add_use(survey.uses, *phase.shape, network);
          entry->second += messages_of(*phase.shape) * per_message;
        }
      }
    }
    survey.messages += entry->second;
  }
  return survey;
}

}  // namespace orrery
