#include "simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "collective/collective_engine.hpp"
#include "collective/order_matters.hpp"
#include "collective/phase_traffic.hpp"
#include "network/analytical/analytical_network.hpp"
#include "network/make_transport.hpp"
#include "simulate/executor.hpp"
#include "simulate/folding.hpp"
#include "simulate/stall.hpp"

namespace orrery {

namespace {

// More would take many minutes.
constexpr double most_messages_to_start_over = 5e9;

[[noreturn]] void report_stall(const Executor& executor, const CollectiveEngine& collectives) {
  constexpr std::size_t most_lines = 20, most_chunks = 3;
  std::vector<std::string> lines{executor.unfinished()};
  for (std::string& circle : executor.circles()) lines.push_back(std::move(circle));
  std::map<ExecutionGraph::Id, std::vector<std::string>> chunks;  // by collective
  for (CollectiveEngine::Waiting& one : collectives.waiting())
    chunks[one.token].push_back(std::move(one.text));
  const auto add_chunks = [&](const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < std::min(texts.size(), most_chunks); ++i) lines.push_back("  " + texts[i]);
    if (texts.size() > most_chunks)
      lines.push_back(fmt::format("  and {} more of its phases", texts.size() - most_chunks));
  };
  for (const ExecutionGraph::Id id : executor.under_way()) {
    lines.push_back(fmt::format("rank 0 waits for {}, started at {} us", executor.describe(id),
                                executor.started_at(id).us()));
    if (const auto of_id = chunks.extract(id)) add_chunks(of_id.mapped());
  }
  for (const auto& [id, texts] : chunks) {
    lines.push_back(fmt::format("other ranks wait for {}", executor.describe(id)));
    add_chunks(texts);
  }
  throw_stall(lines, most_lines);
}

// Groups that go from phase to phase as one leave little to keep of each rank.
bool runs_by_groups(const Machine& machine, const Folding& folding) {
  return folding.folded && machine.dialect.phase_barrier == PhaseBarrier::next_group;
}

// Estimates the memory for each simulated rank (its operations, its place in every chunk, and the rest) and
// for all together (plans and records of chunks and of their phases). The latter is measured; the former is
// two to three times what was measured if ranks run by groups, else rough.
bool fits_into_memory(const ExecutionGraph& graph, const Machine& machine, const CollectiveSurvey& survey,
                      double simulated_ranks, bool by_groups) {
  constexpr double most_bytes = 16.0 * (1 << 30), bytes_per_chunk = 300, bytes_per_phase = 220;
  const double chunks = static_cast<double>(survey.collectives) * machine.system.chunks;
  const double phases = 2 * static_cast<double>(machine.dimensions.size()) - 1;  // out and back, at most
  const auto operations = static_cast<double>(graph.size());
  const double of_rank = by_groups ? operations * 4 + chunks * 4 + 200 : operations * 4 + chunks * 36 + 2000;
  return simulated_ranks * of_rank + chunks * (bytes_per_chunk + bytes_per_phase * phases) <= most_bytes;
}

// Events of one instant come in an order without meaning, so sorts them: chunks by number, operations by id.
void put_in_order(Recording& recording) {
  ChunkRecords& chunks = recording.chunks;
  std::vector<Time> finished_at;  // by chunk; the last phase is entered last
  for (const PhaseRecord& phase : chunks.phases) {
    if (phase.chunk >= finished_at.size()) finished_at.resize(phase.chunk + 1);
    finished_at[phase.chunk] = phase.left;
  }
  std::sort(chunks.finished.begin(), chunks.finished.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(finished_at[a], a) < std::pair(finished_at[b], b);
  });
  std::stable_sort(chunks.phases.begin(), chunks.phases.end(),
                   [](const PhaseRecord& a, const PhaseRecord& b) {
                     return std::tie(a.entered, a.chunk, a.phase) < std::tie(b.entered, b.chunk, b.phase);
                   });
  std::sort(recording.completed.begin(), recording.completed.end(),
            [&](ExecutionGraph::Id a, ExecutionGraph::Id b) {
              return std::pair(recording.operations[a].end, a) < std::pair(recording.operations[b].end, b);
            });
}

// Phases have to be run by groups, whatever the order within an instant; and Themis plans by when ranks
// issue.
bool may_look_ahead(const Machine& machine, const Folding& folding) {
  const DimensionOrder order = machine.system.dimension_order;
  const bool plans_by_time = order == DimensionOrder::themis || order == DimensionOrder::themis_flex;
  return runs_by_groups(machine, folding) && !plans_by_time;
}

Recording run(const ExecutionGraph& graph, const Machine& machine, const Folding& folding, bool watches_ties,
              const ProgressListener& progress) {
  const AnalyticalNetwork network(machine.topology, machine.dialect, machine.slow_links);
  EventLoop loop(network.clock());
  RankTimers timers(loop, static_cast<int>(folding.classes.count()));
  Executor executor(loop, timers, {&graph}, machine, folding.classes, may_look_ahead(machine, folding));
  std::unique_ptr<Transport> transport;
  if (machine.network_model == NetworkModel::link)
    transport =
        make_transport(machine.network_model, {machine.topology, machine.dialect, machine.slow_links}, loop);
  CollectiveEngine collectives(
      loop, timers,
      {machine.system, machine.dialect, machine.topology, machine.dimensions, network, machine.slow_links,
       transport.get()},
      {folding.classes, !folding.folded, machine.compute_slowdown.empty(), watches_ties}, executor);
  executor.start(collectives);
  loop.run(progress ? [&] { progress(executor.progress(), loop.time()); } : std::function<void()>{});
  if (!executor.finished()) report_stall(executor, collectives);
  collectives.end();

  Recording recording;
  recording.operations = executor.take_intervals();
  recording.completed = executor.take_completed();
  recording.chunks = collectives.records();
  recording.payload = collectives.payload();
  recording.links = transport
                        ? transport->links(loop.time())
                        : links_used(collectives.phases(), {machine.topology, machine.dialect,
                                                            machine.slow_links, machine.system.rendezvous});
  recording.classes = folding.classes;
  recording.finish = executor.take_finish();
  recording.slowdown = machine.slowdown_of(0);
  recording.logical_dimensions = static_cast<int>(machine.dimensions.size());
  recording.messages = collectives.messages();
  recording.events = loop.events();
  recording.folded = folding.folded;
  recording.not_folded_because = folding.reason;
  put_in_order(recording);
  return recording;
}

void check_size(const ExecutionGraph& graph, const Machine& machine, const CollectiveSurvey& survey,
                const Folding& folding) {
  if (fits_into_memory(graph, machine, survey, folding.classes.count(), runs_by_groups(machine, folding)))
    return;
  throw InputError(
      {}, fmt::format("{} NPUs with {} operations and {} chunks each need more than 16 GiB of memory{}, "
                      "simulate fewer NPUs, training passes or chunks",
                      machine.topology.npus(), graph.size(),
                      survey.collectives * static_cast<std::size_t>(machine.system.chunks),
                      folding.folded ? "" : " when they cannot be folded (" + folding.reason + ")"));
}

}  // namespace

SimulationPlan plan_simulation(const ExecutionGraph& graph, const Machine& machine, bool fold_wanted) {
  CollectiveSurvey survey = survey_collectives(graph, machine);
  Folding folding = fold(machine, survey, fold_wanted);
  check_size(graph, machine, survey, folding);
  return {std::move(survey), std::move(folding)};
}

Recording simulate(const ExecutionGraph& graph, const Machine& machine, const SimulationPlan& plan,
                   const ProgressListener& progress) {
  const bool may_start_over = plan.survey.messages <= most_messages_to_start_over &&
                              fits_into_memory(graph, machine, plan.survey, machine.topology.npus(), false);
  const bool may_tie = plan.folding.folded && machine.dialect.phase_barrier == PhaseBarrier::machine;
  try {
    Recording recording = run(graph, machine, plan.folding, may_tie && may_start_over, progress);
    recording.ties_as_alone = may_tie && !may_start_over;
    return recording;
  } catch (const OrderMatters& tie) {
    return run(graph, machine, unfolded(machine, tie.what()), false, progress);
  }
}

}  // namespace orrery
