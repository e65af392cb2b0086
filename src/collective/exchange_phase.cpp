// The common machine of ring, direct and halving-doubling.
#include "collective/message_engine.hpp"

namespace orrery {

void MessageEngine::begin(RunId id, std::uint32_t rank) {
  const std::uint32_t index = runs_[id]->members[rank].begun++;
  prepare(id, rank, index);
}

void MessageEngine::exchange_prepared(RunId id, std::uint32_t rank) {
  Run& run = *runs_[id];
  const ExchangeSchedule& schedule = *run.exchange;
  Member& member = run.members[rank];
  ++member.credit;
  std::uint32_t tries = 1;
  if (member.sends_left <= schedule.gate) {
    if (member.received < schedule.gate) {
      member.blocked = loop_.now();
      return;
    }
    tries = schedule.in_flight;
  }
  for (std::uint32_t i = 0; i < tries; ++i) {
    if (!try_exchange(id, rank)) break;
  }
  if (member.sends_left == 0 && member.credit == schedule.in_flight) ended(id, rank);
}

void MessageEngine::exchange_arrived(RunId id, std::uint32_t rank) {
  const Run& run = *runs_[id];
  Member& member = runs_[id]->members[rank];
  ++member.received;
  // Where arrivals count first, what was ready before in this instant was turned away too early.
  if (gate_counts_whole_instant_ && member.received == run.exchange->gate && member.blocked == loop_.now()) {
    for (std::uint32_t i = 0; i < run.exchange->in_flight; ++i) {
      if (!try_exchange(id, rank)) break;
    }
  }
  begin(id, rank);
}

bool MessageEngine::try_exchange(RunId id, std::uint32_t rank) {
  Run& run = *runs_[id];
  Member& member = run.members[rank];
  const auto index = static_cast<std::uint32_t>(run.exchange->messages - member.sends_left);
  if (member.sends_left == 0 || member.credit == 0 || index >= member.begun) return false;
  const Message message = exchange_message(run, rank, index);
  if (system_.rendezvous) {
    send(id, rank, index, message);
    receive(id, rank, index, message);
  } else {
    send_exchange(id, rank, index, message);
    await_exchange(id, rank, index, message);
  }
  --member.sends_left;
  --member.credit;
  return true;
}

// Without handshakes a member awaits message k of its peer from when it has sent its own message k, and what
// it awaits next comes next of what looks alike. So what it awaits need not be kept, only what came too
// early.
bool MessageEngine::awaits(const Run& run, std::uint32_t rank, std::uint32_t index) const {
  return index < run.exchange->messages - run.members[rank].sends_left;
}

void MessageEngine::keep_early(Run& run, std::uint32_t rank, std::uint32_t index, std::uint32_t from,
                               Bytes bytes, Stamp finish) {
  Member& member = run.members[rank];
  if (member.early == none) {
    member.early = index;
    member.early_finish = finish;
    return;
  }
  run.mailbox.store(mail_, rank, {true, data, from, bytes, finish, index, none});
  ++run.early;
}

void MessageEngine::send_exchange(RunId id, std::uint32_t rank, std::uint32_t index, const Message& message) {
  ++messages_;
  if (rank == 0) count_payload(rank, message.to, message.bytes);
  if (transport_) {
    transport_->send(static_cast<int>(rank), static_cast<int>(message.to), message.bytes,
                     event(data_carried, id, rank, index));
    return;
  }
  Run& run = *runs_[id];
  const Stamp finish =
      loop_.clock().add(loop_.now(), duration_of(run, rank, message.to, message.bytes, index));
  if (awaits(run, message.to, index))
    loop_.at(finish, event(data_arrived, id, message.to, index));
  else
    keep_early(run, message.to, index, rank, message.bytes, finish);
}

void MessageEngine::await_exchange(RunId id, std::uint32_t rank, std::uint32_t index,
                                   const Message& message) {
  Run& run = *runs_[id];
  if (rank == 0) run.posted[index] = loop_.time();
  Member& member = run.members[rank];
  Stamp finish = 0;
  if (member.early == index) {
    member.early = none;
    finish = member.early_finish;
  } else {
    if (run.early == 0) return;
    const std::uint32_t sent =
        run.mailbox.take(mail_, rank, {false, data, message.from, message.bytes, 0, index, none});
    if (sent == MailPool::none) return;
    finish = mail_[sent].finish;
    mail_.release(sent);
    --run.early;
  }
  loop_.after(loop_.clock().difference(finish, loop_.now()), event(data_arrived, id, rank, index));
}

// The transport has delivered what `from` sent. It keeps the order of messages that look alike.
void MessageEngine::exchange_carried(RunId id, std::uint32_t from, std::uint32_t index) {
  Run& run = *runs_[id];
  const Message message = exchange_message(run, from, index);
  if (awaits(run, message.to, index))
    deliver(id, message.to, index);
  else
    keep_early(run, message.to, index, from, message.bytes, loop_.now());
}

MessageEngine::Message MessageEngine::exchange_message(const Run& run, std::uint32_t rank,
                                                       std::uint32_t index) const {
  const ExchangeSchedule& schedule = *run.exchange;
  const auto& step =
      schedule.steps.size() == 1 ? schedule.steps[0] : schedule.steps[index % schedule.steps.size()];
  const LogicalDimension& group = run.shape->group;
  const auto size = static_cast<std::uint32_t>(group.size);
  const auto stride = static_cast<std::uint32_t>(group.stride);
  const std::uint32_t x = rank / stride % size;
  const std::uint32_t base = rank - x * stride;
  if (schedule.peer == ExchangeSchedule::Peer::exclusive_or) {
    const std::uint32_t partner = base + (x ^ step.amount) * stride;
    return {partner, partner, step.bytes};
  }
  const std::uint32_t ahead = x + step.amount, behind = x + size - step.amount;
  return {base + (ahead < size ? ahead : ahead - size) * stride,
          base + (behind < size ? behind : behind - size) * stride, step.bytes};
}

}  // namespace orrery
