#include "simulate/simulation.hpp"

#include <fmt/format.h>

#include "collective/collective_engine.hpp"
#include "network/analytical/analytical_network.hpp"
#include "simulate/executor.hpp"

namespace orrery {

namespace {

[[noreturn]] void report_stall(const Executor& executor, const CollectiveEngine& collectives) {
  constexpr std::size_t most_lines = 10;
  std::string text = "the simulation cannot go on:";
  std::vector<std::string> lines = executor.waiting();
  const std::vector<std::string> chunks = collectives.waiting();
  lines.insert(lines.end(), chunks.begin(), chunks.end());
  for (std::size_t i = 0; i < lines.size() && i < most_lines; ++i) text += "\n  " + lines[i];
  if (lines.size() > most_lines) text += "\n  and " + std::to_string(lines.size() - most_lines) + " more";
  throw StallError(text);
}

}  // namespace

// Every rank is simulated on its own: what that takes for its operations, its place in every chunk, and the
// rest, roughly.
void check_size(const ExecutionGraph& graph, const Machine& machine) {
  constexpr double most_bytes = 16.0 * (1 << 30);
  double chunks = 0;
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
    if (graph[id].kind == OperationKind::collective) chunks += machine.system.chunks;
  }
  const int ranks = machine.topology.npus();
  if (ranks * (static_cast<double>(graph.size()) * 4 + chunks * 36 + 2000) <= most_bytes) return;
  throw InputError(
      {}, fmt::format("{} NPUs with {} operations and {} chunks each need more than 16 GiB of memory, "
                      "simulate fewer NPUs, training passes or chunks",
                      ranks, graph.size(), chunks));
}

Recording simulate(const ExecutionGraph& graph, const Machine& machine, const ProgressListener& progress) {
  const int ranks = machine.topology.npus();
  check_size(graph, machine);
  const AnalyticalNetwork network(machine.topology, machine.dialect);
  EventLoop loop(network.clock());
  RankTimers timers(loop, ranks);
  Executor executor(loop, timers, graph, ranks);
  CollectiveEngine collectives(loop, timers, machine.system, machine.dialect, machine.topology,
                               machine.dimensions, network, executor);
  executor.start(collectives);
  loop.run(progress ? [&] { progress(executor.progress(), loop.time()); } : std::function<void()>{});
  if (!executor.finished()) report_stall(executor, collectives);

  Recording recording;
  recording.operations = executor.take_intervals();
  recording.completed = executor.take_completed();
  recording.chunks = collectives.records();
  recording.payload = collectives.payload();
  recording.finish = executor.take_finish();
  recording.logical_dimensions = static_cast<int>(machine.dimensions.size());
  recording.messages = collectives.messages();
  recording.events = loop.events();
  return recording;
}

}  // namespace orrery
