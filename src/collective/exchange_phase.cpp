// The common machine of ring, direct and halving-doubling.
//
// The steps that every message goes through - it is prepared, sent and arrives - become one function,
// handle(); those that few of them need are called. Otherwise a third of all instructions would go into
// calls.
#include "collective/message_engine.hpp"

namespace orrery {

void MessageEngine::start_exchange(RunId id, std::uint32_t rank) {
  const Run& run = *runs_[id];
  for (std::uint32_t i = 0; i < run.exchange->in_flight; ++i) begin(id, run, rank, i);
}

// Preparation `index`.
inline void MessageEngine::begin(RunId id, const Run& run, std::uint32_t rank, std::uint32_t index) {
  if (bus_)
    begin_on_bus(id, run, rank, index);
  else
    timers_.after(rank, system_.endpoint_delay, event(after_endpoint(run, index), id, rank, index));
}

void MessageEngine::begin_on_bus(RunId id, const Run& run, std::uint32_t rank, std::uint32_t index) {
  bus_->request(rank, run.exchange->step(index).bytes,
                bus_pass(run.shape->schedule, index, reduces(run, rank, index)),
                event(after_endpoint(run, index), id, rank, index));
}

void MessageEngine::handle(const Event& event_now) {
  const RunId id = event_now.object;
  const std::uint32_t rank = event_now.rank, index = event_now.extra;
  Run& run = *runs_[id];
  if (!run.exchange) {
    handle_rarer(event_now);
    return;
  }
  switch (event_now.what) {
    case data_arrived:
      exchange_arrived(id, run, rank, index);
      break;
    case endpoint_passed:  // and what has been received is to be reduced
      if (!reduces_at_once_ || !timers_.at_last_of(rank) || run.exchange->step(index).reduction != Time()) {
        reduce(id, run, rank, index);
        break;
      }
      [[fallthrough]];
    case prepared:
      exchange_prepared(id, run, rank);
      break;
    default:
      handle_rarer(event_now);
      break;
  }
}

// A step of its own even when it costs nothing, since that decides the order within the instant; but where it
// would come next anyhow, handle() goes on at once.
void MessageEngine::reduce(RunId id, const Run& run, std::uint32_t rank, std::uint32_t index) {
  timers_.after(rank, run.exchange->step(index).reduction, event(prepared, id, rank, index));
}

inline void MessageEngine::exchange_arrived(RunId id, Run& run, std::uint32_t rank, std::uint32_t index) {
  if (rank == run.recorded) count_latency(run, index);
  Member& member = run.members[rank];
  ++member.received;
  // If arrivals count first, a message that became ready earlier in this instant was turned away too early.
  if (member.received == run.exchange->gate && gate_counts_whole_instant_ && run.blocked[rank] == loop_.now())
    pass_gate(id, run, rank);
  begin(id, run, rank, member.received - 1 + run.exchange->in_flight);
}

inline void MessageEngine::exchange_prepared(RunId id, Run& run, std::uint32_t rank) {
  Member& member = run.members[rank];
  ++member.credit;
  if (member.sent < run.exchange->ungated)
    exchange(id, run, rank);
  else
    prepared_last(id, run, rank);
}

// A preparation of a message behind the gate, or one that sends nothing.
void MessageEngine::prepared_last(RunId id, Run& run, std::uint32_t rank) {
  const Member& member = run.members[rank];
  if (member.received < run.exchange->gate) {
    run.blocked[rank] = loop_.now();
    return;
  }
  pass_gate(id, run, rank);
  if (member.sent == run.exchange->messages && member.credit == run.exchange->in_flight) ended(id, rank);
}

void MessageEngine::pass_gate(RunId id, Run& run, std::uint32_t rank) {
  const Member& member = run.members[rank];
  for (std::uint32_t i = 0; i < run.exchange->in_flight; ++i) {
    if (member.sent == run.exchange->messages || member.credit == 0) break;
    exchange(id, run, rank);
  }
}

// Sends the next message that is prepared, and awaits its counterpart.
inline void MessageEngine::exchange(RunId id, Run& run, std::uint32_t rank) {
  Member& member = run.members[rank];
  const std::uint32_t index = member.sent;
  if (system_.rendezvous) {
    exchange_by_handshake(id, run, rank, index);
  } else {
    send_exchange(id, run, rank, index);
    await_exchange(id, run, rank, index);
  }
  ++member.sent;
  --member.credit;
}

void MessageEngine::exchange_by_handshake(RunId id, const Run& run, std::uint32_t rank, std::uint32_t index) {
  const Message message = exchange_message(run, rank, index);
  send(id, rank, index, message);
  receive(id, rank, index, message);
}

// Without handshakes a member awaits message k of its peer from when it has sent its own message k, and what
// it awaits next comes next of what looks alike. So what it awaits need not be kept, only what came too
// early.
void MessageEngine::keep_early(Run& run, std::uint32_t rank, std::uint32_t index, std::uint32_t from,
                               Stamp finish) {
  Member& member = run.members[rank];
  if (member.early == none) {
    member.early = index;
    member.early_finish = finish;
    return;
  }
  run.mailbox.store(mail_, rank, {true, data, from, run.exchange->step(index).bytes, finish, index, none});
  ++run.early;
}

inline void MessageEngine::send_exchange(RunId id, Run& run, std::uint32_t rank, std::uint32_t index) {
  const ExchangeTable::Step& step = run.exchange->step(index);
  const std::uint32_t to = run.exchange->receiver(rank, run.members[rank].position, step);
  ++messages_;
  if (rank == run.recorded) count_payload(run, rank, to, step.bytes);
  if (transport_) {
    transport_->send(static_cast<int>(rank), static_cast<int>(to), step.bytes,
                     event(data_carried, id, rank, index));
    return;
  }
  const Stamp duration = step.duration != ExchangeTable::depends_on_members
                             ? step.duration
                             : network_.duration(static_cast<int>(rank), static_cast<int>(to), step.bytes);
  const Stamp finish = loop_.clock().add(loop_.now(), duration);
  if (index < run.members[to].sent)
    loop_.at(finish, event(data_arrived, id, to, index));
  else
    keep_early(run, to, index, rank, finish);
}

inline void MessageEngine::await_exchange(RunId id, Run& run, std::uint32_t rank, std::uint32_t index) {
  if (rank == run.recorded) run.posted[index] = loop_.time();
  Member& member = run.members[rank];
  if (member.early == index) {
    member.early = none;
    arrives_early(id, rank, index, member.early_finish);
  } else if (run.early > 0) {
    take_kept(id, run, rank, index);
  }
}

void MessageEngine::take_kept(RunId id, Run& run, std::uint32_t rank, std::uint32_t index) {
  const Message message = exchange_message(run, rank, index);
  const std::uint32_t sent =
      run.mailbox.take(mail_, rank, {false, data, message.from, message.bytes, 0, index, none});
  if (sent == MailPool::none) return;
  const Stamp finish = mail_.take(sent).finish;
  --run.early;
  arrives_early(id, rank, index, finish);
}

// A message that was sent before it was awaited arrives now or at `finish`, whichever is later.
void MessageEngine::arrives_early(RunId id, std::uint32_t rank, std::uint32_t index, Stamp finish) {
  loop_.after(loop_.clock().difference(finish, loop_.now()), event(data_arrived, id, rank, index));
}

// The transport has delivered what `from` sent. It keeps the order of messages that look alike.
void MessageEngine::exchange_carried(RunId id, std::uint32_t from, std::uint32_t index) {
  Run& run = *runs_[id];
  const std::uint32_t to =
      run.exchange->receiver(from, run.members[from].position, run.exchange->step(index));
  if (index < run.members[to].sent)
    exchange_arrived(id, run, to, index);
  else
    keep_early(run, to, index, from, loop_.now());
}

MessageEngine::Message MessageEngine::exchange_message(const Run& run, std::uint32_t rank,
                                                       std::uint32_t index) const {
  const ExchangeTable::Step& step = run.exchange->step(index);
  const std::uint32_t position = run.members[rank].position;
  return {run.exchange->receiver(rank, position, step), run.exchange->sender(rank, position, step),
          step.bytes};
}

}  // namespace orrery
