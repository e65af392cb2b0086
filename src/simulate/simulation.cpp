#include "simulate/simulation.hpp"

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

// Every rank is simulated on its own; what that takes per rank and operation, roughly.
void check_size(const ExecutionGraph& graph, int ranks) {
  constexpr double most_bytes = 16.0 * (1 << 30);
  const double bytes = ranks * (static_cast<double>(graph.size()) * 4 + 500);
  if (bytes <= most_bytes) return;
  throw InputError({}, std::to_string(ranks) + " NPUs with " + std::to_string(graph.size()) +
                           " operations each need more than 16 GiB of memory, simulate fewer NPUs or training passes");
}

}  // namespace

Recording simulate(const ExecutionGraph& graph, const Machine& machine, const ProgressListener& progress) {
  const int ranks = machine.topology.npus();
  check_size(graph, ranks);
  const AnalyticalNetwork network(machine.topology, machine.dialect);
  EventLoop loop(network.clock());
  RankTimers timers(loop, ranks);
  Executor executor(loop, timers, graph, ranks);
  CollectiveEngine collectives(loop, timers, machine.system, machine.dialect, machine.topology, machine.dimensions,
                               network, executor);
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
