// Each rank cuts its own collectives into streams, as ASTRA-sim 2 does (docs/models/streams.md).
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "collective/streams/stream_engine.hpp"
#include "simulate/collectives/collective_policies.hpp"
#include "simulate/collectives/phase_cost_sum.hpp"

namespace orrery::core {

namespace {

RequestNames request_names(const Program& program, const Machine& machine) {
  return {program.communicators, machine.algorithms};
}

void add_stream(CollectiveSurvey& survey, const StreamPhase& phase, const Machine& machine) {
  if (!phase.shape || phase.members.group) {
    survey.complete = false;
    return;
  }
  CollectiveSurvey::Use& use = use_of(survey.uses, phase.members.dimension);
  if (const auto* exchange = std::get_if<ExchangeSchedule>(&phase.shape->schedule))
    add_peers(use.peers, use.dimension, *exchange, machine.system.queues_per_dimension > 1);
  else
    use.trees = true;
}

// Plans every kind of collective of a part once, for its lowest rank.
CollectiveSurvey survey_of_streams(const Program& program, const Machine& machine) {
  CollectiveSurvey survey;
  StreamPlanner planner(machine.system, request_names(program, machine), machine.topology);
  for (const ProgramPart& part : program.parts) {
    std::set<std::tuple<CollectiveKind, std::uint32_t, unsigned long>> known;
    for (const CollectiveRequest& request : part.graph.collectives()) {
      ++survey.collectives;
      if (!known.emplace(request.kind, request.communicator, request.dimensions.to_ulong()).second) continue;
      const auto plan = planner.plan_if_possible(part.lowest_rank(), request);
      if (!plan) {
        survey.complete = false;
        continue;
      }
      for (const std::vector<StreamPhase>& chunk : *plan)
        for (const StreamPhase& phase : chunk) add_stream(survey, phase, machine);
    }
  }
  return survey;
}

// Returns the dimension of the topology in which members differ; -1 where they differ in several.
int dimension_of(const StreamMembers& members, const Topology& topology) {
  if (!members.group) return members.dimension.physical;
  const std::vector<LogicalDimension> dimensions = logical_dimensions(topology);
  int found = -1;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const auto position = [&](RankId rank) { return dimensions[d].position(npu_of(rank)); };
    const std::vector<RankId>& ranks = members.group->members;
    if (std::ranges::all_of(ranks, [&](RankId rank) { return position(rank) == position(ranks[0]); }))
      continue;
    if (found >= 0) return -1;
    found = static_cast<int>(d);
  }
  return found;
}

std::string_view algorithm_of_stream(const StreamPhase& phase) {
  return phase.custom ? phase.custom->name : phase.shape->algorithm->name;
}

class StreamExplainer final : public CollectiveExplainer {
 public:
  StreamExplainer(const Program& program, const Machine& machine)
      : CollectiveExplainer(machine),
        program_(program),
        machine_(machine),
        planner_(machine.system, request_names(program, machine), machine.topology) {}

  // Nobody records the dimensions of streams one by one.
  ExchangeCost of(std::uint32_t part, const CollectiveRequest& request, int) override {
    const RankId rank = program_.parts[part].lowest_rank();
    PhaseCostSum phases(messages(), machine_.system.endpoint_delay, PhaseCostSum::Links::of_messages);
    std::optional<int> physical;
    std::vector<std::string_view> algorithms;
    for (const std::vector<StreamPhase>& chunk : planner_.plan(rank, request)) {
      for (const StreamPhase& phase : chunk) {
        add(phases, phase, rank);
        if (const std::string_view name = algorithm_of_stream(phase);
            std::ranges::find(algorithms, name) == algorithms.end())
          algorithms.push_back(name);
        const int of_phase = dimension_of(phase.members, machine_.topology);
        physical = physical.value_or(of_phase) == of_phase ? of_phase : -1;
      }
      phases.end_chunk();
    }
    ExchangeCost cost = phases.sum();
    cost.algorithm = fmt::format("{}", fmt::join(algorithms, " and "));
    if (physical.value_or(-1) >= 0) cost.dimension = static_cast<std::size_t>(*physical);
    return cost;
  }

 private:
  static void add(PhaseCostSum& phases, const StreamPhase& phase, RankId rank) {
    const StreamMembers& members = phase.members;
    if (phase.custom) {
      phases.add(*phase.custom);
    } else if (const auto* exchange = std::get_if<ExchangeSchedule>(&phase.shape->schedule)) {
      phases.add(*exchange, npu_of(rank), [&](const ExchangeSchedule::Step& step) {
        return npu_of(members.rank_at(
            ExchangeSchedule::receiver(exchange->peer, members.position, step.amount, members.size())));
      });
    } else {
      phases.add(std::get<TreeSchedule>(phase.shape->schedule));
    }
  }

  const Program& program_;
  const Machine& machine_;
  StreamPlanner planner_;
};

std::unique_ptr<RecordedCollectives> make_streams(const CollectiveRun& run) {
  const Machine& machine = run.machine;
  const CollectiveRun::Streams& streams = *run.streams;
  return std::make_unique<StreamEngine>(
      run.loop, run.timers, streams.messenger, machine.system, request_names(run.program, machine),
      machine.dialect, machine.topology, streams.uses, run.listener, streams.barriers, streams.for_all);
}

}  // namespace

const CollectivePolicy streams_policy{
    .name = "streams",
    .applies = [](const Program& program, const Machine&) { return program.issues_in_slots(); },
    .make = make_streams,
    .survey = survey_of_streams,
    .explain = [](const Program& program, const Machine& machine) -> std::unique_ptr<CollectiveExplainer> {
      return std::make_unique<StreamExplainer>(program, machine);
    }};

}  // namespace orrery::core
