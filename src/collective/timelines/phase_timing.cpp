#include "collective/timelines/phase_timing.hpp"

#include <algorithm>

#include "collective/phase/handshake.hpp"
#include "collective/timelines/direct_timing.hpp"
#include "collective/timelines/program_timing.hpp"
#include "collective/timelines/several_in_flight.hpp"

namespace orrery::core {

namespace {

// An exchange of one message at a time. A member awaits a message when it has sent its own, so the times of
// each round follow from those of the last.
CourseOutcome run_one_in_flight(const PhaseTiming& timing, std::span<const Stamp> starts,
                                std::span<Stamp> ready) {
  const auto& schedule = std::get<ExchangeSchedule>(timing.schedule);
  const Clock& clock = timing.clock;
  const auto n = static_cast<std::uint32_t>(timing.followed);
  std::vector<Stamp> next(n);
  Stamp waited = 0;
  for (std::uint32_t x = 0; x < n; ++x) ready[x] = clock.add(starts[x], timing.preparation(0));
  for (std::uint64_t k = 0; k < schedule.messages; ++k) {
    const std::size_t kind = k % schedule.steps.size();
    const std::uint32_t amount = schedule.steps[kind].amount;
    const auto receive = [&](std::uint32_t x, std::uint32_t source) {
      next[x] = timing.arrival(kind * n + x, ready[source], ready[x]);
    };
    if (timing.alike) {
      receive(0, 0);
    } else if (schedule.peer == ExchangeSchedule::Peer::shift) {
      for (std::uint32_t x = 0; x < amount; ++x) receive(x, x + n - amount);
      for (std::uint32_t x = amount; x < n; ++x) receive(x, x - amount);
    } else {
      for (std::uint32_t x = 0; x < n; ++x) receive(x, x ^ amount);
    }
    waited += next[0] - ready[0];
    const Stamp prepared = timing.preparation(k + 1);
    for (std::uint32_t x = 0; x < n; ++x) ready[x] = clock.add(next[x], prepared);
  }
  return {Time::from_ps(waited)};
}

// The same where all messages and all reductions take equally long: they need not be looked at one by one.
CourseOutcome run_equal_messages(const PhaseTiming& timing, Stamp start, Stamp& end) {
  const auto& schedule = std::get<ExchangeSchedule>(timing.schedule);
  const Clock& clock = timing.clock;
  const Stamp latency = timing.arrival(0, 0, 0);
  end = clock.add(start, clock.times(clock.add(latency, timing.endpoint_delay), schedule.messages));
  end = clock.add(end, timing.endpoint_delay);
  if (!timing.reductions.empty()) {
    const std::uint64_t reducing = schedule.reducing_among_first(schedule.preparations());
    end = clock.add(end, clock.times(clock.span(timing.reductions[0]), reducing));
  }
  return {clock.time(clock.times(latency, schedule.messages))};
}

CourseOutcome run_exchange(const PhaseTiming& timing, std::span<const Stamp> starts, std::span<Stamp> ends) {
  if (std::get<ExchangeSchedule>(timing.schedule).in_flight == 1) {
    if (timing.latencies.size() == 1 && timing.reductions.size() <= 1)
      return run_equal_messages(timing, starts[0], ends[0]);
    return run_one_in_flight(timing, starts, ends);
  }
  if (timing.direct) {
    if (const auto outcome = run_direct(timing, starts, ends)) return *outcome;
  }
  return SeveralInFlight(timing).run(starts, ends);
}

// An all-reduce up and down a tree. Times are maxima and sums over it.
CourseOutcome run_tree(const PhaseTiming& timing, std::span<const Stamp> starts, std::span<Stamp> ends) {
  constexpr std::uint32_t none = TreeClasses::none;
  const Clock& clock = timing.clock;
  const std::vector<TreeClasses::Class>& classes = timing.classes->classes();
  const std::size_t own = timing.classes->of(0);
  const Stamp added = clock.add(timing.endpoint_delay, clock.span(timing.reductions[0]));
  Stamp waited = 0;
  std::vector<Stamp> gathered(classes.size());  // when it has all data of its subtree; it sends them up
  std::vector<Stamp> above(classes.size());     // when its parent has these
  for (std::size_t c = classes.size(); c-- > 0;) {
    gathered[c] = clock.add(starts[c], timing.endpoint_delay);
    for (const std::uint32_t child : {classes[c].left, classes[c].right}) {
      if (child == none) continue;
      gathered[c] = std::max(gathered[c], clock.add(above[child], added));
      if (c == own) waited += above[child] - starts[c];
    }
    if (c > 0) above[c] = timing.arrival(2 * c - 2, gathered[c], starts[classes[c].parent]);
  }
  ends[0] = gathered[0];
  for (std::size_t c = 1; c < classes.size(); ++c) {
    const Stamp received = timing.arrival(2 * c - 1, ends[classes[c].parent], gathered[c]);
    ends[c] = clock.add(received, classes[c].left == none ? timing.endpoint_delay : added);
    if (c == own) waited += received - gathered[c];
  }
  return {Time::from_ps(waited)};
}

}  // namespace

PhaseTiming::PhaseTiming(const GroupPhase& phase, const Latency& latency) : GroupPhase(phase) {
  const auto add = [&](const End& from, const End& to, Bytes bytes) {
    if (from == to) {  // a step that sends nothing
      latencies.push_back(0);
      if (rendezvous) handshakes.push_back(0);
      return;
    }
    latencies.push_back(latency(from, to, bytes));
    if (rendezvous) handshakes.push_back(latency(to, from, handshake_bytes));
  };
  if (const auto* tree = std::get_if<TreeSchedule>(&schedule)) {
    followed = classes->classes().size();
    for (const TreeClasses::Class& one : std::span(classes->classes()).subspan(1)) {  // the first is the root
      const auto parent = static_cast<std::uint32_t>(tree->node(one.position).parent);
      add({one.position}, {parent}, tree->bytes);
      add({parent}, {one.position}, tree->bytes);
    }
    return;
  }
  if (const auto* programs = std::get_if<ProgramSchedule>(&schedule)) {
    followed = members;
    for (std::uint32_t x = 0; x < members; ++x)
      for (const MemberProgram::Step& step : programs->program_of(programs->from_root(x, root)).steps) {
        const std::uint32_t peer =
            programs->in_group(programs->peer_of(programs->from_root(x, root), step), root);
        const End here{x, step.at};
        add(here, step.kind == MemberProgram::Kind::send ? End{peer, step.peer_at} : here, step.bytes);
      }
    return;
  }
  const auto& exchange = std::get<ExchangeSchedule>(schedule);
  followed = alike ? 1 : members;
  // Steps behind the last message only tell how much is prepared.
  const std::size_t sent = std::min<std::size_t>(exchange.steps.size(), exchange.messages);
  latencies.reserve(sent * followed);
  for (const auto& step : std::span(exchange.steps).first(sent)) {
    for (std::uint32_t x = 0; x < followed; ++x)
      add({ExchangeSchedule::sender(exchange.peer, x, step.amount, members)}, {x}, step.bytes);
  }
  direct = is_direct_timing(*this);
}

CourseOutcome PhaseTiming::run(std::span<const Stamp> starts, std::span<Stamp> ends) const {
  if (std::holds_alternative<ProgramSchedule>(schedule)) return run_programs(*this, starts, ends);
  return classes ? run_tree(*this, starts, ends) : run_exchange(*this, starts, ends);
}

std::optional<LastMessage> PhaseTiming::last_message(Stamp end) const {
  const auto* exchange = std::get_if<ExchangeSchedule>(&schedule);
  if (!exchange || !alike || exchange->in_flight != 1 || exchange->messages == 0) return std::nullopt;
  const std::size_t kind = (exchange->messages - 1) % exchange->steps.size();
  LastMessage last;
  last.reduction = reduction(exchange->messages);
  last.arrived = end - endpoint_delay - last.reduction;
  last.sent = last.arrived - latencies[kind * followed];
  return last;
}

Stamp PhaseTiming::reduction(std::uint64_t k) const {
  if (reductions.empty() || !std::get<ExchangeSchedule>(schedule).reducing(k)) return 0;
  return clock.span(reductions[reductions.size() == 1 ? 0 : k % reductions.size()]);
}

}  // namespace orrery::core
