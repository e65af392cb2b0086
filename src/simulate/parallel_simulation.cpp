#include "simulate/parallel_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "network/make_transport.hpp"
#include "simulate/executor.hpp"
#include "simulate/part_collectives.hpp"
#include "simulate/rank_messages.hpp"
#include "simulate/stall.hpp"

namespace orrery {

namespace {

RankClasses classes_of(const ParallelProgram& program, const Machine& machine) {
  const auto npus = static_cast<std::size_t>(machine.topology.npus());
  std::vector<std::uint32_t> class_of(npus);
  for (std::uint32_t part = 0; part < program.parts.size(); ++part)
    for (const std::uint32_t rank : program.parts[part].ranks) class_of[rank] = part;
  return RankClasses(std::move(class_of));
}

[[noreturn]] void report_stall(const Executor& executor, const ParallelProgram& program) {
  constexpr std::size_t most_lines = 20;
  std::vector<std::string> lines{executor.unfinished()};
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    for (std::string& circle : executor.circles(part)) lines.push_back(std::move(circle));
    for (const ExecutionGraph::Id id : executor.under_way(part))
      lines.push_back(fmt::format("{} waits for {}, since {} us", program.parts[part].name,
                                  executor.describe(id, part), executor.started_at(id, part).us()));
  }
  throw_stall(lines, most_lines);
}

std::vector<const ExecutionGraph*> graphs_of(const ParallelProgram& program) {
  std::vector<const ExecutionGraph*> graphs;
  for (const ProgramPart& part : program.parts) graphs.push_back(&part.graph);
  return graphs;
}

std::vector<std::vector<std::uint32_t>> ranks_in_step(const ParallelProgram& program) {
  std::vector<std::vector<std::uint32_t>> ranks;
  for (const ProgramPart& part : program.parts) ranks.push_back(part.ranks);
  return ranks;
}

std::vector<std::uint32_t> lowest_ranks(const ParallelProgram& program) {
  std::vector<std::uint32_t> ranks;
  for (const ProgramPart& part : program.parts) ranks.push_back(part.ranks.front());
  return ranks;
}

// Collectives and messages that take no time.
class FreeCollectives final : public CollectiveIssuer {
 public:
  bool issue(std::uint32_t, std::uint32_t, const CollectiveRequest&, Stamp) override { return false; }
};

class FreeTransport final : public Transport {
 public:
  explicit FreeTransport(EventLoop& loop) : loop_(loop) {}
  void send(int, int, Bytes, const Event& delivered) override { loop_.after(0, delivered); }
  std::vector<LinkUse> links(Time) const override { return {}; }

 private:
  EventLoop& loop_;
};

Time end_without_communication(const ParallelProgram& program, const Machine& machine,
                               const RankClasses& classes, const Clock& clock) {
  EventLoop loop(clock);
  RankTimers timers(loop, static_cast<int>(program.parts.size()));
  Executor executor(loop, timers, graphs_of(program), machine, classes);
  FreeTransport transport(loop);
  RankMessages messages(loop, transport, lowest_ranks(program), executor);
  FreeCollectives collectives;
  executor.start(collectives, &messages);
  loop.run({});
  if (!executor.finished()) report_stall(executor, program);
  Time end;
  for (const Time finish : executor.take_finish()) end = std::max(end, finish);
  return end;
}

}  // namespace

Time ParallelRecording::end() const {
  Time end;
  for (const PartRecording& part : parts) end = std::max(end, part.finish);
  return end;
}

void check_parallel(const ParallelProgram& program, const Machine& machine) {
  const auto require = [&](bool holds, const std::string& why) {
    if (!holds) throw InputError(program.where, "a program of several parts " + why);
  };
  require(machine.dialect.phase_barrier == PhaseBarrier::next_group,
          "runs by Orrery's own rules, leave `dialect` out");
  require(!machine.system.shared_bus, "cannot run with a shared memory bus, leave it out");
  require(machine.slow_links.empty(), "cannot run on slow links, leave `slow-links` out");
  for (const Dimension& dimension : machine.topology.dimensions)
    require(dimension.hbm_scale == 0, "cannot run where memory limits messages, leave the scale of it out");
  std::size_t ranks = 0;
  for (const ProgramPart& part : program.parts) {
    ranks += part.ranks.size();
    for (const std::uint32_t rank : part.ranks)
      require(
          machine.slowdown_of(rank) == machine.slowdown_of(part.ranks[0]),
          fmt::format("has equal ranks in each part, but ranks {} and {} of {} compute at different speeds; "
                      "slow all of them down",
                      part.ranks[0], rank, part.name));
  }
  require(ranks == static_cast<std::size_t>(machine.topology.npus()),
          fmt::format("runs on {} NPUs, use a network of as many", ranks));
}

ParallelRecording simulate_parallel(const ParallelProgram& program, const Machine& machine,
                                    const ProgressListener& progress) {
  check_parallel(program, machine);
  const RankClasses classes = classes_of(program, machine);
  const AnalyticalNetwork network(machine.topology, machine.dialect);
  EventLoop loop(network.clock());
  RankTimers timers(loop, static_cast<int>(program.parts.size()));
  Executor executor(loop, timers, graphs_of(program), machine, classes);
  const std::unique_ptr<Transport> transport =
      make_transport(machine.network_model,
                     {machine.topology, machine.dialect, machine.slow_links, ranks_in_step(program)}, loop);
  RankMessages messages(loop, *transport, lowest_ranks(program), executor);
  PartCollectives collectives(loop, program, machine, network, executor);
  executor.start(collectives, &messages);
  loop.run(progress ? [&] { progress(executor.progress(), loop.time()); } : std::function<void()>{});
  if (!executor.finished()) report_stall(executor, program);

  ParallelRecording recording;
  recording.events = loop.events();
  recording.messages = messages.messages();
  const std::vector<Time> finish = executor.take_finish();
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    PartRecording& one = recording.parts.emplace_back();
    one.operations = executor.take_intervals(part);
    one.completed = executor.take_completed(part);
    one.finish = finish[part];
    one.payload.resize(machine.topology.dimensions.size());
    if (const CollectiveEngine* engine = collectives.engine_of(part)) {
      one.chunks = engine->records();
      one.payload = engine->payload();
      recording.messages += engine->messages();
    }
  }
  recording.links = transport->links(recording.end());
  recording.without_communication = end_without_communication(program, machine, classes, network.clock());
  return recording;
}

}  // namespace orrery
