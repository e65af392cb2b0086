#include "collective/message_engine.hpp"

#include <fmt/format.h>

#include <functional>

namespace orrery {

MessageEngine::MessageEngine(EventLoop& loop, RankTimers& timers, const SystemConfig& system,
                             const Dialect& dialect, const ContentionFreeNetwork& network,
                             const RankParts& parts, int topology_dimensions, PhaseListener& listener,
                             Transport* transport)
    : loop_(loop),
      timers_(timers),
      system_(system),
      network_(network),
      listener_(listener),
      transport_(transport),
      handler_(loop.add_handler(*this)),
      parts_(parts),
      gate_counts_whole_instant_(dialect.gate_counts_whole_instant),
      reduces_at_once_(!system.shared_bus && loop.clock().counts_picoseconds()),
      payload_(parts.count(), std::vector<Bytes>(static_cast<std::size_t>(topology_dimensions))) {
  for (std::uint32_t part = 0; part < parts.count(); ++part) ranks_ += parts[part].simulated;
  if (system.shared_bus)
    bus_ = std::make_unique<SharedBus>(loop, timers, *system.shared_bus, dialect, static_cast<int>(ranks_));
}

MessageEngine::RunId MessageEngine::open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part) {
  RunId id;
  if (free_runs_.empty()) {
    id = static_cast<RunId>(runs_.size());
    runs_.push_back(std::make_unique<Run>());
  } else {
    id = free_runs_.back();
    free_runs_.pop_back();
  }
  Run& run = *runs_[id];
  run.chunk = chunk;
  run.part = part;
  run.recorded = parts_[part].recorded;
  run.taking_part = members_of(shape, parts_, part, ranks_, std::identity{});
  run.ended = 0;
  run.shape = &shape;
  run.exchange = table_of(shape);
  run.tree = std::get_if<TreeSchedule>(&shape.schedule);
  run.program = std::get_if<ProgramSchedule>(&shape.schedule);
  run.members.assign(ranks_, Member());
  if (run.exchange) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
      run.members[rank].position = static_cast<std::uint32_t>(shape.group.position(static_cast<int>(rank)));
  }
  run.earliest_ends.assign(ranks_, 0);
  run.blocked.assign(run.exchange && run.exchange->gate > 0 ? ranks_ : 0, -1);
  run.early = 0;
  run.mailbox.reset(ranks_, run.exchange ? run.exchange->in_flight : 1);
  run.missing.resize(run.program ? ranks_ : 0);
  std::size_t receives = run.exchange ? run.exchange->messages : 3;
  if (run.program) receives = program_of(run, run.recorded).steps.size();
  run.posted.assign(receives, Time());
  run.statistics = {};
  run.statistics_taken = !shape.takes_part(static_cast<int>(run.recorded));
  return id;
}

void MessageEngine::start(RunId id, std::uint32_t rank, Stamp earliest_end) {
  Run& run = *runs_[id];
  run.earliest_ends[rank] = earliest_end;
  if (run.exchange)
    start_exchange(id, rank);
  else if (run.tree)
    start_tree(id, rank);
  else
    start_program(id, rank);
}

const ExchangeTable* MessageEngine::table_of(const PhaseShape& shape) {
  if (!std::holds_alternative<ExchangeSchedule>(shape.schedule)) return nullptr;
  const auto known = tables_.find(&shape);
  return known != tables_.end() ? &known->second : &tables_.emplace(&shape, shape).first->second;
}

// Handles the events that handle() does not: the rarer ones.
void MessageEngine::handle_rarer(const Event& event) {
  const RunId run = event.object;
  switch (event.what) {
    case endpoint_passed:
      if (runs_[run]->tree)
        tree_endpoint_passed(run, event.rank, event.extra);
      else
        program_endpoint_passed(run, event.rank, event.extra);
      break;
    case prepared:
      if (runs_[run]->tree)
        tree_prepared(run, event.rank, event.extra);
      else
        step_ended(run, event.rank, event.extra);
      break;
    case data_arrived:
      if (event.rank == runs_[run]->recorded) count_latency(*runs_[run], event.extra);
      if (runs_[run]->tree)
        tree_arrived(run, event.rank, event.extra);
      else
        step_ended(run, event.rank, event.extra);
      break;
    case data_sent:
      step_ended(run, event.rank, event.extra);
      break;
    case handshake_sent:
      await_data(run, event.rank, event.extra);
      break;
    case handshake_arrived: {
      const Message message = message_of(*runs_[run], event.rank, event.extra);
      transmit(run, data, event.rank, message.to, message.bytes, event.extra);
      break;
    }
    case data_carried:
      if (runs_[run]->program) step_ended(run, event.rank, event.extra);  // the sender hears of it first
      carried(run, data, event.rank, event.extra);
      break;
    case handshake_carried:
      await_data(run, event.rank, event.extra);
      carried(run, handshake, event.rank, event.extra);
      break;
    case may_end:
      ended(run, event.rank);
      break;
    default:
      break;
  }
}

bool MessageEngine::reduces(const Run& run, std::uint32_t rank, std::uint32_t index) const {
  if (run.exchange) return run.exchange->reduces(index);
  return node_of(run, rank).left != TreeSchedule::none;
}

void MessageEngine::ended(RunId id, std::uint32_t rank) {
  Run& run = *runs_[id];
  if (loop_.now() < run.earliest_ends[rank]) {
    loop_.at(run.earliest_ends[rank], event(may_end, id, rank, 0));
    return;
  }
  const std::uint32_t chunk = run.chunk;
  if (++run.ended == run.taking_part && run.statistics_taken) free_runs_.push_back(id);
  listener_.phase_ended(rank, chunk);
}

// Messages of an exchange arrive in the order in which they are received.
std::string MessageEngine::waiting(RunId id, std::uint32_t rank) const {
  const Run& run = *runs_[id];
  const Member& member = run.members[rank];
  if (run.program)
    return fmt::format("has {} of the {} steps of its part left", member.credit,
                       program_of(run, rank).steps.size());
  if (run.tree) {
    const TreeSchedule::Node node = node_of(run, rank);
    const bool leaf = node.left == TreeSchedule::none;
    const bool gathered = leaf || member.credit == 2;
    const Message message = tree_message(run, rank, gathered ? parent : left);
    return fmt::format("waits for {} bytes from rank {}{}", message.bytes.count(), message.from,
                       gathered || node.right == TreeSchedule::none ? "" : " or its other child");
  }
  if (member.received == run.exchange->messages) return "has all its messages, but has not ended";
  const Message message = exchange_message(run, rank, member.received);
  return fmt::format("has sent {} and received {} of {} messages and waits for {} bytes from rank {}",
                     member.sent, member.received, run.exchange->messages, message.bytes.count(),
                     message.from);
}

ReceiveStatistics MessageEngine::take_receive_statistics(RunId id) {
  Run& run = *runs_[id];
  run.statistics_taken = true;
  if (run.ended == run.taking_part) free_runs_.push_back(id);
  return run.statistics;
}

}  // namespace orrery
