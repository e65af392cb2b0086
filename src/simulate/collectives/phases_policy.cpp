// One plan of a collective serves all ranks, which go through its chunks phase by phase
// (docs/models/collectives.md).
#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "collective/collective_engine.hpp"
#include "collective/plan/planner.hpp"
#include "network/analytical/analytical_network.hpp"
#include "simulate/collectives/collective_policies.hpp"
#include "simulate/collectives/phase_cost_sum.hpp"

namespace orrery::core {

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

CollectiveSurvey::Use& add_phase(std::vector<CollectiveSurvey::Use>& uses, const PhaseShape& shape,
                                 const ContentionFreeNetwork& network) {
  const bool tree = std::holds_alternative<TreeSchedule>(shape.schedule);
  const bool rooted = std::holds_alternative<ProgramSchedule>(shape.schedule);
  const bool uneven =
      !tree && !rooted && (!network.is_uniform(shape.group) || network.has_slow_links(shape.group));
  CollectiveSurvey::Use& use = use_of(uses, shape.group);
  use.rooted = use.rooted || rooted;
  use.trees = use.trees || tree;
  use.uneven = use.uneven || uneven;
  return use;
}

// Plans every kind of collective of a program once.
class PhaseSurvey {
 public:
  PhaseSurvey(const Program& program, const Machine& machine)
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
        CollectiveSurvey::Use& use = add_phase(survey_.uses, *phase.shape, network_);
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

CollectiveSurvey survey_of_phases(const Program& program, const Machine& machine) {
  PhaseSurvey survey(program, machine);
  for (const ProgramPart& part : program.parts) survey.add(part);
  return survey.take();
}

// Returns the index among all_dimensions() of a communicator's first one.
int first_dimension(const Program& program, std::uint32_t communicator) {
  std::size_t first = 0;
  for (std::uint32_t c = 0; c < communicator; ++c) first += program.communicators[c].dimensions.size();
  return static_cast<int>(first);
}

class PhaseExplainer final : public CollectiveExplainer {
 public:
  PhaseExplainer(const Program& program, const Machine& machine)
      : CollectiveExplainer(machine), program_(program), machine_(machine) {
    if (!machine.topology.graph)
      loads_.emplace(
          TrafficMachine{machine.topology, machine.dialect, machine.network, machine.system.rendezvous});
  }

  ExchangeCost of(std::uint32_t part, const CollectiveRequest& request, int dimension) override {
    const int first = first_dimension(program_, request.communicator);
    const int npu = npu_of(program_.parts[part].lowest_rank());
    PhaseCostSum phases(messages(), machine_.system.endpoint_delay,
                        loads_ ? PhaseCostSum::Links::of_phases : PhaseCostSum::Links::of_messages);
    std::string_view algorithm;
    for (const ChunkPlan& chunk : planner(request.communicator).plan(request).chunks) {
      for (const PhasePlan& phase : chunk.phases) {
        if (dimension >= 0 && first + phase.dimension != dimension) continue;
        algorithm = algorithm_of(request.kind, phase, algorithm);
        add(phases, *phase.shape, npu);
      }
      phases.end_chunk();
    }
    ExchangeCost cost = phases.sum();
    cost.algorithm = algorithm;
    return cost;
  }

 private:
  Planner& planner(std::uint32_t communicator) {
    return planners_
        .try_emplace(communicator, machine_.system, machine_.dialect, machine_.topology,
                     program_.communicators[communicator].dimensions, messages().network())
        .first->second;
  }

  // The algorithm is one of those for the whole collective, of which the phase may be a part. Returns
  // `unless` where none is listed.
  std::string_view algorithm_of(CollectiveKind kind, const PhasePlan& phase, std::string_view unless) const {
    const auto& choices = machine_.system.algorithms_of(kind);
    if (choices.empty()) return unless;
    return choices[std::min<std::size_t>(phase.dimension, choices.size() - 1)].algorithm->name;
  }

  void add(PhaseCostSum& phases, const PhaseShape& shape, int npu) {
    if (loads_) phases.add_busiest_link(loads_->busiest(shape, npu));
    if (const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule)) {
      const auto size = static_cast<std::uint32_t>(shape.group.size);
      const auto position = static_cast<std::uint32_t>(shape.group.position(npu));
      phases.add(*exchange, npu, [&](const ExchangeSchedule::Step& step) {
        const std::uint32_t to = ExchangeSchedule::receiver(exchange->peer, position, step.amount, size);
        return shape.group.base(npu) + static_cast<int>(to) * shape.group.stride;
      });
    } else if (const auto* tree = std::get_if<TreeSchedule>(&shape.schedule)) {
      phases.add(*tree);
    } else {
      phases.add_unknown();
    }
  }

  const Program& program_;
  const Machine& machine_;
  std::map<std::uint32_t, Planner> planners_;  // by communicator
  std::optional<PhaseLoads> loads_;            // loads of dimensions; none: the network is a graph
};

std::unique_ptr<RecordedCollectives> make_engine(const CollectiveRun& run) {
  const Machine& machine = run.machine;
  const CollectiveRun::Phases& phases = *run.phases;
  return std::make_unique<CollectiveEngine>(
      run.loop, run.timers,
      CollectiveMachine{machine.system, machine.dialect, machine.topology, run.program.communicators,
                        phases.network, machine.network, phases.transport, phases.trials},
      FoldedRanks{run.ranks.classes, run.ranks.parts, phases.by_messages, machine.compute_slowdown.empty(),
                  phases.watches_ties, run.program.known_times.get()},
      run.listener);
}

}  // namespace

const CollectivePolicy phases_policy{
    .name = "phases",
    .applies = [](const Program& program, const Machine&) { return !program.issues_in_slots(); },
    .make = make_engine,
    .survey = survey_of_phases,
    .explain = [](const Program& program, const Machine& machine) -> std::unique_ptr<CollectiveExplainer> {
      return std::make_unique<PhaseExplainer>(program, machine);
    }};

}  // namespace orrery::core
