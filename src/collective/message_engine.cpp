#include "collective/message_engine.hpp"

#include <fmt/format.h>

#include <limits>

namespace orrery {

MessageEngine::MessageEngine(EventLoop& loop, RankTimers& timers, const SystemConfig& system,
                             const Dialect& dialect, const ContentionFreeNetwork& network, int ranks,
                             int topology_dimensions, PhaseListener& listener, Transport* transport)
    : loop_(loop),
      timers_(timers),
      system_(system),
      network_(network),
      listener_(listener),
      transport_(transport),
      handler_(loop.add_handler(*this)),
      ranks_(static_cast<std::uint32_t>(ranks)),
      gate_counts_whole_instant_(dialect.gate_counts_whole_instant),
      payload_(static_cast<std::size_t>(topology_dimensions)) {
  if (system.shared_bus) bus_ = std::make_unique<SharedBus>(loop, timers, *system.shared_bus, dialect, ranks);
}

MessageEngine::RunId MessageEngine::open(std::uint32_t chunk, const PhaseShape& shape) {
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
  run.ended = 0;
  run.shape = &shape;
  run.exchange = std::get_if<ExchangeSchedule>(&shape.schedule);
  run.tree = std::get_if<TreeSchedule>(&shape.schedule);
  if (run.exchange && run.exchange->preparations() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError({},
                     fmt::format("a phase in which each of {} NPUs sends {} messages is too long to simulate "
                                 "message by message, choose another algorithm",
                                 shape.group.size, run.exchange->messages));
  }
  run.reducing = reducing_table(shape);
  Member member;
  if (run.exchange) member.sends_left = static_cast<std::uint32_t>(run.exchange->messages);
  run.members.assign(ranks_, member);
  run.early = 0;
  run.mailbox.reset(ranks_, run.exchange ? run.exchange->in_flight : 1);
  run.posted.assign(run.exchange ? run.exchange->messages : 3, Time());
  run.statistics = {};
  run.statistics_taken = false;
  return id;
}

void MessageEngine::start(RunId id, std::uint32_t rank, Stamp earliest_end) {
  Run& run = *runs_[id];
  run.members[rank].earliest_end = earliest_end;
  if (run.tree) {
    start_tree(id, rank);
    return;
  }
  for (std::uint32_t i = 0; i < run.exchange->in_flight; ++i) begin(id, rank);
}

void MessageEngine::handle(const Event& event) {
  const RunId run = event.object;
  switch (event.what) {
    case endpoint_passed:
      on_endpoint_passed(run, event.rank, event.extra);
      break;
    case prepared:
      on_prepared(run, event.rank, event.extra);
      break;
    case data_arrived:
      deliver(run, event.rank, event.extra);
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

// The division in ExchangeSchedule::reducing() would cost too much per message.
const std::vector<std::uint8_t>* MessageEngine::reducing_table(const PhaseShape& shape) {
  const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule);
  if (!exchange || shape.reductions.empty()) return nullptr;
  std::vector<std::uint8_t>& table = reducing_[&shape];
  if (table.empty()) {
    for (std::uint64_t k = 0; k < exchange->preparations(); ++k) table.push_back(shape.reduces(*exchange, k));
  }
  return &table;
}

bool MessageEngine::reduces(const Run& run, std::uint32_t rank, std::uint32_t index) const {
  if (run.exchange) return run.reducing && (*run.reducing)[index];
  const TreeSchedule::Node node = node_of(run, rank);
  return node.left != TreeSchedule::none;
}

Bytes MessageEngine::prepared_bytes(const Run& run, std::uint32_t index) const {
  return run.exchange ? run.exchange->steps[index % run.exchange->steps.size()].bytes : run.tree->bytes;
}

SharedBus::Pass MessageEngine::bus_pass(const Run& run, std::uint32_t rank, std::uint32_t index) const {
  const bool fresh = run.exchange
                         ? index % (run.exchange->fresh + run.exchange->relayed) < run.exchange->fresh
                         : index == first_up;
  if (fresh) return {SharedBus::npu_side, false, false};
  if (run.exchange)
    return {SharedBus::memory_side, reduces(run, rank, index), run.exchange->passes_on(index)};
  const bool leaf = node_of(run, rank).left == TreeSchedule::none;
  return {SharedBus::memory_side, !leaf, !leaf && index != child_gathered};
}

void MessageEngine::prepare(RunId id, std::uint32_t rank, std::uint32_t index) {
  if (!bus_) {
    timers_.after(rank, system_.endpoint_delay, event(endpoint_passed, id, rank, index));
    return;
  }
  const Run& run = *runs_[id];
  bus_->request(rank, prepared_bytes(run, index), bus_pass(run, rank, index),
                event(endpoint_passed, id, rank, index));
}

void MessageEngine::on_endpoint_passed(RunId id, std::uint32_t rank, std::uint32_t index) {
  const Run& run = *runs_[id];
  if (!reduces(run, rank, index)) {
    on_prepared(id, rank, index);
    return;
  }
  // A step of its own even when it costs nothing: that decides the order within the instant.
  timers_.after(rank, run.shape->reduction(run.exchange ? index : 0), event(prepared, id, rank, index));
}

void MessageEngine::on_prepared(RunId id, std::uint32_t rank, std::uint32_t index) {
  if (runs_[id]->exchange) {
    exchange_prepared(id, rank);
  } else {
    tree_prepared(id, rank, index);
  }
}

void MessageEngine::ended(RunId id, std::uint32_t rank) {
  Run& run = *runs_[id];
  if (loop_.now() < run.members[rank].earliest_end) {
    loop_.at(run.members[rank].earliest_end, event(may_end, id, rank, 0));
    return;
  }
  const std::uint32_t chunk = run.chunk;
  if (++run.ended == ranks_ && run.statistics_taken) free_runs_.push_back(id);
  listener_.phase_ended(rank, chunk);
}

// Messages of an exchange arrive in the order in which they are received.
std::string MessageEngine::waiting(RunId id, std::uint32_t rank) const {
  const Run& run = *runs_[id];
  const Member& member = run.members[rank];
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
                     run.exchange->messages - member.sends_left, member.received, run.exchange->messages,
                     message.bytes.count(), message.from);
}

ReceiveStatistics MessageEngine::take_receive_statistics(RunId id) {
  Run& run = *runs_[id];
  run.statistics_taken = true;
  if (run.ended == ranks_) free_runs_.push_back(id);
  return run.statistics;
}

}  // namespace orrery
