// This file holds sends, receives and the rendezvous handshake (docs/models/collectives.md, Rendezvous and
// Matching).
#include "collective/handshake.hpp"
#include "collective/message_engine.hpp"

namespace orrery {

MessageEngine::Message MessageEngine::message_of(const Run& run, std::uint32_t rank,
                                                 std::uint32_t index) const {
  if (run.exchange) return exchange_message(run, rank, index);
  return run.tree ? tree_message(run, rank, index) : program_message(run, rank, index);
}

void MessageEngine::send(RunId id, std::uint32_t rank, std::uint32_t index, const Message& message) {
  if (system_.rendezvous) {
    post(id, handshake, rank, message.to, handshake_bytes, index);
  } else {
    transmit(id, data, rank, message.to, message.bytes, index);
  }
}

void MessageEngine::receive(RunId id, std::uint32_t rank, std::uint32_t index, const Message& message) {
  if (rank == runs_[id]->recorded) runs_[id]->posted[index] = loop_.time();
  if (system_.rendezvous) {
    transmit(id, handshake, rank, message.from, handshake_bytes, index);
  } else {
    post(id, data, rank, message.from, message.bytes, index);
  }
}

void MessageEngine::count_payload(const Run& run, std::uint32_t from, std::uint32_t to, Bytes bytes) {
  payload_[run.part][network_.carrying_dimension(static_cast<int>(from), static_cast<int>(to))] += bytes;
}

// Counts a message that the recorded rank has received.
void MessageEngine::count_latency(Run& run, std::uint32_t index) {
  run.statistics.latency_sum += loop_.time() - run.posted[index];
  ++run.statistics.messages;
}

// Returns how long a message with data takes.
Stamp MessageEngine::duration_of(const Run& run, std::uint32_t from, std::uint32_t to, Bytes bytes,
                                 std::uint32_t index) const {
  const auto& durations = run.shape->durations;
  if (durations.empty()) return network_.duration(static_cast<int>(from), static_cast<int>(to), bytes);
  return durations[durations.size() == 1 ? 0 : index % durations.size()];
}

void MessageEngine::transmit(RunId id, Channel channel, std::uint32_t from, std::uint32_t to, Bytes bytes,
                             std::uint32_t index) {
  ++messages_;
  Run& run = *runs_[id];
  if (from == run.recorded) count_payload(run, from, to, bytes);
  if (transport_) {
    transport_->send(static_cast<int>(from), static_cast<int>(to), bytes,
                     event(channel == data ? data_carried : handshake_carried, id, from, index));
    return;
  }
  const Stamp duration = channel == data
                             ? duration_of(run, from, to, bytes, index)
                             : network_.duration(static_cast<int>(from), static_cast<int>(to), bytes);
  const Stamp finish = loop_.clock().add(loop_.now(), duration);
  const std::uint32_t receive =
      run.mailbox.match(mail_, to, {true, channel, from, bytes, finish, 0, MailPool::none});
  if (channel == handshake)
    loop_.at(finish, event(handshake_sent, id, from, index));
  else if (run.program)
    loop_.at(finish, event(data_sent, id, from, index));
  if (receive == MailPool::none) return;
  loop_.at(finish,
           event(channel == data ? data_arrived : handshake_arrived, id, to, mail_.take(receive).extra));
}

// The transport has delivered what `from` sent. It keeps the order of messages that look alike.
void MessageEngine::carried(RunId id, Channel channel, std::uint32_t from, std::uint32_t index) {
  Run& run = *runs_[id];
  if (run.exchange && !system_.rendezvous) {
    exchange_carried(id, from, index);
    return;
  }
  const Message message = message_of(run, from, index);
  const std::uint32_t to = channel == data ? message.to : message.from;
  const Bytes bytes = channel == data ? message.bytes : handshake_bytes;
  const std::uint32_t receive =
      run.mailbox.match(mail_, to, {true, channel, from, bytes, loop_.now(), 0, MailPool::none});
  if (receive == MailPool::none) return;
  const Event arrived =
      event(channel == data ? data_arrived : handshake_arrived, id, to, mail_.take(receive).extra);
  handle(arrived);
}

// Its sender is told.
void MessageEngine::await_data(RunId id, std::uint32_t rank, std::uint32_t index) {
  const Message message = message_of(*runs_[id], rank, index);
  post(id, data, rank, message.from, message.bytes, index);
}

void MessageEngine::post(RunId id, Channel channel, std::uint32_t rank, std::uint32_t from, Bytes bytes,
                         std::uint32_t index) {
  Run& run = *runs_[id];
  const std::uint32_t sent =
      run.mailbox.match(mail_, rank, {false, channel, from, bytes, 0, index, MailPool::none});
  if (sent == MailPool::none) return;
  const Stamp remaining = loop_.clock().difference(mail_.take(sent).finish, loop_.now());
  loop_.after(remaining, event(channel == data ? data_arrived : handshake_arrived, id, rank, index));
}

}  // namespace orrery
