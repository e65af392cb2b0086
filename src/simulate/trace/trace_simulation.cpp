#include "simulate/trace/trace_simulation.hpp"

#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <optional>

#include "collective/order_matters.hpp"
#include "network/analytical/contention_free_transport.hpp"
#include "network/make_transport.hpp"
#include "simulate/stall.hpp"
#include "simulate/trace/stall_report.hpp"
#include "simulate/trace/trace_folding.hpp"

namespace orrery {

namespace {

using Level = TraceFolding::Level;

// What the phases that were worked out in one go have sent.
std::uint64_t count_flows(const Meetings& meetings, Level level, std::uint32_t npus,
                          ContentionFreeTransport& transport) {
  std::uint64_t messages = 0;
  const auto visit = [&](std::uint32_t source, std::uint32_t destination, Bytes bytes, std::uint64_t count) {
    transport.count(static_cast<int>(source), static_cast<int>(destination), bytes, count);
    messages += count;
  };
  if (level == Level::one_rank) {
    meetings.courses().for_each_flow_of_all_groups(npus, visit);
  } else {
    meetings.courses().for_each_flow(visit);
  }
  return messages;
}

TraceRecording run(const std::vector<RankTrace>& traces, const TraceMachine& machine, Level level,
                   const ProgressListener& progress) {
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  std::unique_ptr<Transport> transport;
  ContentionFreeTransport* closed_form = nullptr;
  std::optional<Meetings> meetings;
  if (level == Level::messages) {
    transport = make_transport(machine.network, machine.topology, machine.dialect, loop);
  } else {
    auto made = std::make_unique<ContentionFreeTransport>(machine.topology, machine.dialect, loop);
    closed_form = made.get();
    transport = std::move(made);
    meetings.emplace(
        [closed_form](std::uint32_t source, std::uint32_t destination, Bytes bytes) {
          return closed_form->duration(static_cast<int>(source), static_cast<int>(destination), bytes);
        },
        level == Level::one_rank);
  }
  const auto npus = static_cast<std::uint32_t>(traces.size());
  RankTimers timers(loop, machine.topology.npus());
  Messenger messenger(loop, *transport, machine.streams.rendezvous);
  TraceExecutor executor(loop, timers, machine, traces, level == Level::one_rank ? 1 : npus,
                         level != Level::messages);
  StreamEngine collectives(loop, timers, messenger, machine.streams, machine.dialect, machine.topology,
                           executor, meetings ? &*meetings : nullptr);
  MemoryServers memory(loop, timers, machine.memory, machine.topology.npus());
  executor.start(collectives, messenger, memory);
  loop.run(progress ? [&] { progress(executor.progress(), loop.time()); } : std::function<void()>{});
  if (!executor.finished()) {
    if (meetings) throw OrderMatters("ranks wait for ever");
    constexpr std::size_t most_lines = 20;
    throw_stall(explain_stall(executor, messenger), most_lines);
  }

  TraceRecording recording;
  recording.ranks = executor.take_ranks();
  recording.finish_order = executor.take_finish_order();
  if (level == Level::one_rank) {
    recording.finish_order.resize(npus);
    std::iota(recording.finish_order.begin(), recording.finish_order.end(), 0);
  }
  recording.messages = messenger.messages();
  if (meetings) recording.messages += count_flows(*meetings, level, npus, *closed_form);
  recording.links = transport->links(loop.time());
  recording.events = loop.events();
  return recording;
}

}  // namespace

TraceRecording simulate_traces(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                               const ProgressListener& progress) {
  TraceFolding folding = fold(traces, machine);
  while (true) {
    try {
      TraceRecording recording = run(traces, machine, folding.level, progress);
      recording.folding = folding.why;
      return recording;
    } catch (const OrderMatters& doubt) {
      folding = less_folded(folding.level, doubt.what());
    }
  }
}

}  // namespace orrery
