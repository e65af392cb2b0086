#include "collective/phase/shared_bus.hpp"

#include <algorithm>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

namespace {
constexpr double inner_gap_per_byte_ns = 0.0038;
constexpr int longest_streak = 8;
}  // namespace

SharedBus::SharedBus(EventLoop& loop, RankTimers& timers, const SharedBusConfig& config,
                     const Dialect& dialect, int ranks)
    : timers_(timers),
      loop_(loop),
      config_(config),
      dialect_(dialect),
      handler_(loop.add_handler(*this)),
      ranks_(static_cast<std::size_t>(ranks)) {}

void SharedBus::request(RankId rank, Bytes bytes, Pass pass, const Event& done) {
  const std::uint32_t transfer = transfers_.keep({bytes, pass.process, pass.back, Then::dispatch, 0, done});
  if (pass.enters == memory_side) {
    enqueue(rank, outer_memory, transfer);
  } else {
    enqueue(rank, inner_npu_side, transfers_.keep({bytes, false, false, Then::send_outer, transfer, {}}));
  }
}

void SharedBus::enqueue(RankId rank, EndId end, std::uint32_t transfer) {
  ranks_[rank.index()][end].sends.push_back(transfer);
  if (ranks_[rank.index()][end].state == State::free) kick(rank, end);
}

void SharedBus::kick(RankId rank, EndId id) {
  End& end = ranks_[rank.index()][id];
  if (end.state != State::free || end.sends.empty()) return;
  const End& other = ranks_[rank.index()][partner(id)];
  if (end.streak > longest_streak && !other.sends.empty() && other.streak <= longest_streak) {
    if (other.state == State::free) kick(rank, partner(id));
    return;
  }
  transmit(rank, id);
}

void SharedBus::timer(RankId rank, EndId end, What what, double ns) {
  const double delay = std::max(ns, 0.0);
  if (!Time::is_input_ns(delay))
    throw InputError({}, "a transfer on the shared bus takes more than 30 days, check its G and the sizes");
  timers_.after(class_of_simulated(rank), dialect_.round_delay(delay),
                Event{handler_, what, rank.value(), end, 0});
}

void SharedBus::transmit(RankId rank, EndId id) {
  End& end = ranks_[rank.index()][id];
  End& other = ranks_[rank.index()][partner(id)];
  const double elapsed = (loop_.time() - end.last).ns();
  const double o = config_.overhead_ns, g = config_.gap_ns;
  const double offset = end.previous == State::sending && o + elapsed <= g ? g - elapsed : o;
  const double per_byte =
      id == outer_npu || id == outer_memory ? config_.gap_per_byte_ns : inner_gap_per_byte_ns;
  const std::uint32_t transfer = end.sends.front();
  end.sends.pop_front();
  const double data = (transfers_[transfer].bytes.as_double() - 1) * per_byte;
  other.receives.push_back(transfer);
  other.previous = other.state;
  other.state = State::receiving;
  timer(rank, partner(id), received, offset + data + config_.latency_ns + o);
  other.streak = 0;
  end.state = State::sending;
  timer(rank, id, sent, offset + data);
}

void SharedBus::handle(const Event& event) {
  const auto id = static_cast<EndId>(event.object);
  switch (event.what) {
    case sent: {
      End& end = ranks_[event.rank][id];
      end.last = loop_.time();
      end.previous = end.state;
      end.state = State::free;
      ++end.streak;
      kick(RankId(event.rank), id);
      break;
    }
    case received:
      on_received(RankId(event.rank), id);
      break;
    case processed:
      on_processed(RankId(event.rank), id);
      break;
    default:
      break;
  }
}

void SharedBus::on_received(RankId rank, EndId id) {
  End& end = ranks_[rank.index()][id];
  end.last = loop_.time();
  end.previous = end.state;
  if (end.receives.size() < 2) end.state = State::free;
  const std::uint32_t transfer = end.receives.front();
  end.receives.pop_front();
  if (transfers_[transfer].process) {
    transfers_[transfer].process = false;
    pass(rank, id, transfer, true, Then::process_outer);
    if (id == outer_npu) start_processing(rank, id);
  } else {
    route(rank, id, transfer);
  }
  kick(rank, id);
}

void SharedBus::on_processed(RankId rank, EndId id) {
  End& end = ranks_[rank.index()][id];
  const std::uint32_t transfer = end.processes.front();
  end.processes.pop_front();
  end.processing = false;
  route(rank, id, transfer);
  start_processing(rank, id);
  kick(rank, id);
}

void SharedBus::start_processing(RankId rank, EndId id) {
  End& end = ranks_[rank.index()][id];
  if (end.processing || end.processes.empty()) return;
  end.processing = true;
  const std::uint64_t hundreds = transfers_[end.processes.front()].bytes.count() / 100;
  timer(rank, id, processed, static_cast<double>(hundreds) * config_.local_reduction_delay + 50);
}

void SharedBus::route(RankId rank, EndId end, std::uint32_t transfer) {
  if (transfers_[transfer].back) {
    transfers_[transfer].back = false;
    pass(rank, end, transfer, true, Then::send_outer);
  } else {
    pass(rank, end, transfer, false, Then::deliver_outer);
  }
}

void SharedBus::pass(RankId rank, EndId end, std::uint32_t transfer, bool back, Then then) {
  if (end == outer_npu) {
    enqueue(rank, inner_bus_side,
            transfers_.keep({transfers_[transfer].bytes, false, back, then, transfer, {}}));
  } else {
    conclude(rank, end, transfer, then);
  }
}

void SharedBus::conclude(RankId rank, EndId end, std::uint32_t transfer, Then then) {
  switch (then) {
    case Then::send_outer:
      ranks_[rank.index()][end].sends.push_back(transfer);
      break;
    case Then::process_outer:
      ranks_[rank.index()][end].processes.push_back(transfer);
      start_processing(rank, end);
      break;
    case Then::deliver_outer:
    case Then::dispatch: {
      const Transfer finished = transfers_.take(transfer);
      if (finished.then == Then::dispatch) {
        loop_.dispatch(finished.done);
      } else {  // an inner transfer: what it served goes on at the outer bus' NPU side
        conclude(rank, outer_npu, finished.outer, finished.then);
        kick(rank, outer_npu);
      }
      break;
    }
  }
}

SharedBus::Pass bus_pass(const Schedule& schedule, std::uint32_t k, bool reduces) {
  const auto* exchange = std::get_if<ExchangeSchedule>(&schedule);
  if (exchange ? exchange->is_fresh(k) : k == TreeSchedule::first_up)
    return {SharedBus::npu_side, false, false};
  const bool passes_on = exchange ? exchange->passes_on(k) : reduces && k != TreeSchedule::child_gathered;
  return {SharedBus::memory_side, reduces, passes_on};
}

SharedBus::Pass bus_pass(const MemberProgram::Step& step) {
  return {step.arrived ? SharedBus::memory_side : SharedBus::npu_side, step.reduces, step.passed_on};
}

}  // namespace orrery::core
