#include "simulate/trace/trace_simulation.hpp"

#include "network/make_transport.hpp"
#include "simulate/stall.hpp"
#include "simulate/trace/stall_report.hpp"

namespace orrery {

TraceRecording simulate_traces(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                               const ProgressListener& progress) {
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  const auto transport = make_transport(machine.network, machine.topology, machine.dialect, loop);
  RankTimers timers(loop, machine.topology.npus());
  Messenger messenger(loop, *transport, machine.streams.rendezvous);
  TraceExecutor executor(loop, timers, machine, traces);
  StreamEngine collectives(loop, timers, messenger, machine.streams, machine.dialect, machine.topology,
                           executor);
  MemoryServers memory(loop, timers, machine.memory, machine.topology.npus());
  executor.start(collectives, messenger, memory);
  loop.run(progress ? [&] { progress(executor.progress(), loop.time()); } : std::function<void()>{});
  constexpr std::size_t most_lines = 20;
  if (!executor.finished()) throw_stall(explain_stall(executor, messenger), most_lines);

  TraceRecording recording;
  recording.ranks = executor.take_ranks();
  recording.finish_order = executor.take_finish_order();
  recording.links = transport->links(loop.time());
  recording.messages = messenger.messages();
  recording.events = loop.events();
  return recording;
}

}  // namespace orrery
