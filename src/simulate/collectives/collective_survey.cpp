#include "simulate/collectives/collective_survey.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "collective/plan/planner.hpp"
#include "network/analytical/analytical_network.hpp"

namespace orrery {

namespace {

// Returns the number of messages that one member sends on average.
double messages_of(const PhaseShape& shape) {
  if (const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule))
    return static_cast<double>(exchange->messages);
  if (const auto* programs = std::get_if<ProgramSchedule>(&shape.schedule)) {
    double sends = static_cast<double>(programs->sends());
    for (const PhaseShape::Pin& pin : shape.pins) sends /= pin.dimension.size;
    return sends / shape.group.size;
  }
  return 2.0 * (shape.group.size - 1) / shape.group.size;
}

CollectiveSurvey::Use& add_use(std::vector<CollectiveSurvey::Use>& uses, const PhaseShape& shape,
                               const ContentionFreeNetwork& network) {
  const bool tree = std::holds_alternative<TreeSchedule>(shape.schedule);
  const bool rooted = std::holds_alternative<ProgramSchedule>(shape.schedule);
  const bool uneven =
      !tree && !rooted && (!network.is_uniform(shape.group) || network.has_slow_links(shape.group));
  const auto found = std::find_if(uses.begin(), uses.end(), [&](const CollectiveSurvey::Use& use) {
    return use.dimension == shape.group;
  });
  if (found == uses.end()) {
    uses.push_back({shape.group, tree, uneven, rooted, {}});
    return uses.back();
  }
  found->rooted = found->rooted || rooted;
  found->trees = found->trees || tree;
  found->uneven = found->uneven || uneven;
  return *found;
}

// Plans every kind of collective of a program once.
class Survey {
 public:
  Survey(const Program& program, const Machine& machine)
      : machine_(machine), network_(machine.topology, machine.dialect, machine.network.slow_links) {
    for (const Communicator& communicator : program.communicators)
      planners_.emplace_back(machine.system, machine.dialect, machine.topology, communicator.dimensions,
                             network_);
  }

  void add(const ProgramPart& part) {
    const double per_message = static_cast<double>(part.size()) * (machine_.system.rendezvous ? 2.0 : 1.0);
    for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id) {
      if (part.graph.kind(id) != OperationKind::collective || part.graph.collective(id).takes) continue;
      ++survey_.collectives;
      survey_.messages += messages_of_one(part.graph.collective(id)) * per_message;
    }
  }

  CollectiveSurvey take() { return std::move(survey_); }

 private:
  // Returns the messages that each member sends, on average.
  double messages_of_one(const CollectiveRequest& request) {
    const auto [entry, added] = planned_.insert(
        {{request.kind, request.size, request.dimensions.to_ulong(), request.communicator}, 0});
    if (!added) return entry->second;
    for (const ChunkPlan& chunk : planners_[request.communicator].plan(request).chunks) {
      for (const PhasePlan& phase : chunk.phases) {
        CollectiveSurvey::Use& use = add_use(survey_.uses, *phase.shape, network_);
        const auto* exchange = std::get_if<ExchangeSchedule>(&phase.shape->schedule);
        if (exchange && machine_.network.model->carries_collectives)
          add_peers(use.peers, phase.shape->group, *exchange, machine_.system.queues_per_dimension > 1);
        entry->second += messages_of(*phase.shape);
      }
    }
    return entry->second;
  }

  const Machine& machine_;
  const AnalyticalNetwork network_;
  std::deque<Planner> planners_;  // by communicator
  std::map<std::tuple<CollectiveKind, Bytes, unsigned long, std::uint32_t>, double> planned_;
  CollectiveSurvey survey_;
};

}  // namespace

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

namespace {

// A library's collectives end on all members of a group at once.
CollectiveSurvey survey_of_library(const Program& program) {
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

}  // namespace

CollectiveSurvey survey_collectives(const Program& program, const Machine& machine) {
  if (machine.has_whole_collectives()) return survey_of_library(program);
  Survey survey(program, machine);
  for (const ProgramPart& part : program.parts) survey.add(part);
  return survey.take();
}

}  // namespace orrery
