#include "collective/messages/phase_messages.hpp"

#include "collective/phase/handshake.hpp"

namespace orrery::core {

PhaseMessages::PhaseMessages(EventLoop& loop, PhaseRuns& runs, const ContentionFreeNetwork& network,
                             Transport* transport, bool rendezvous, std::size_t parts,
                             int topology_dimensions)
    : loop_(loop),
      runs_(runs),
      network_(network),
      transport_(transport),
      rendezvous_(rendezvous),
      handler_(loop.add_handler(*this)),
      payload_(parts, std::vector<Bytes>(static_cast<std::size_t>(topology_dimensions))) {}

void PhaseMessages::send(RunId id, RankId rank, std::uint32_t index, const PhaseMessage& message) {
  if (rendezvous_) {
    post(id, handshake, rank, message.to, handshake_bytes, index);
  } else {
    transmit(id, data, rank, message.to, message.bytes, index, message.lane, message.devices);
  }
}

void PhaseMessages::receive(RunId id, RankId rank, std::uint32_t index, const PhaseMessage& message) {
  runs_[id].awaits(rank, index, loop_);
  if (rendezvous_) {
    transmit(id, handshake, rank, message.from, handshake_bytes, index);
  } else {
    post(id, data, rank, message.from, message.bytes, index, message.lane);
  }
}

void PhaseMessages::keep(PhaseRun& run, RankId rank, RankId from, Bytes bytes, Stamp finish) {
  run.mailbox.store(mail_, rank, {true, data, 0, from, bytes, finish, 0, MailPool::none});
}

std::optional<Stamp> PhaseMessages::take_kept(PhaseRun& run, RankId rank, const PhaseMessage& message) {
  const std::uint32_t sent = run.mailbox.take(
      mail_, rank, {false, data, message.lane, message.from, message.bytes, 0, 0, MailPool::none});
  if (sent == MailPool::none) return std::nullopt;
  return mail_.take(sent).finish;
}

void PhaseMessages::handle(const Event& event) {
  const RunId run = event.object;
  switch (event.what) {
    case handshake_sent:
      await_data(run, RankId(event.rank), event.extra);
      break;
    case handshake_arrived: {
      const PhaseMessage message = message_of(run, RankId(event.rank), event.extra);
      transmit(run, data, RankId(event.rank), message.to, message.bytes, event.extra, message.lane);
      break;
    }
    case data_carried: {
      PhaseKind& kind = *runs_[run].kind;  // the sender learns of it first
      if (kind.tells_senders())
        kind.handle(kind.event(PhaseKind::data_sent, run, RankId(event.rank), event.extra));
      carried(run, data, RankId(event.rank), event.extra);
      break;
    }
    case handshake_carried:
      await_data(run, RankId(event.rank), event.extra);
      carried(run, handshake, RankId(event.rank), event.extra);
      break;
    default:
      break;
  }
}

void PhaseMessages::count_payload(const PhaseRun& run, RankId from, RankId to, Bytes bytes) {
  payload_[run.part][network_.carrying_dimension(npu_of(from), npu_of(to))] += bytes;
}

// No NPU counts as its payload what a switch sends.
void PhaseMessages::count_at_switch(const PhaseRun& run, RankId from, int source, Bytes bytes) {
  ++sent_;
  if (from != run.recorded || source != npu_of(from)) return;
  const LogicalDimension& group = run.shape->group;
  const int base = group.base(source), last = base + (group.size - 1) * group.stride;
  payload_[run.part][network_.carrying_dimension(base, last)] += bytes;
}

// Returns how long a message with data takes.
Stamp PhaseMessages::duration_of(const PhaseRun& run, RankId from, RankId to, Bytes bytes,
                                 std::uint32_t index) const {
  const auto& durations = run.shape->durations;
  if (durations.empty()) return network_.duration(npu_of(from), npu_of(to), bytes);
  return durations[durations.size() == 1 ? 0 : index % durations.size()];
}

void PhaseMessages::transmit(RunId id, Channel channel, RankId from, RankId to, Bytes bytes,
                             std::uint32_t index, std::uint16_t lane,
                             const std::optional<PhaseMessage::Devices>& devices) {
  PhaseRun& run = runs_[id];
  const auto [source, destination] = devices.value_or(PhaseMessage::Devices{npu_of(from), npu_of(to)});
  if (devices)
    count_at_switch(run, from, source, bytes);
  else
    count(run, from, to, bytes);
  if (transport_) {
    const Event is_carried = event(channel == data ? data_carried : handshake_carried, id, from, index);
    if (devices)  // messages of different lanes share links, instead of waiting behind each other
      transport_->send_on({.number = lane}, source, destination, bytes, is_carried);
    else
      transport_->send(source, destination, bytes, is_carried);
    return;
  }
  const Stamp duration = channel == data && !devices ? duration_of(run, from, to, bytes, index)
                                                     : network_.duration(source, destination, bytes);
  const Stamp finish = loop_.clock().add(loop_.now(), duration);
  const std::uint32_t receive =
      run.mailbox.match(mail_, to, {true, channel, lane, from, bytes, finish, 0, MailPool::none});
  if (channel == handshake)
    loop_.at(finish, event(handshake_sent, id, from, index));
  else if (run.kind->tells_senders())
    loop_.at(finish, run.kind->event(PhaseKind::data_sent, id, from, index));
  if (receive != MailPool::none) loop_.at(finish, arrival(channel, id, to, mail_.take(receive).extra));
}

// The transport has delivered what `from` sent. It keeps the order of messages that look alike.
void PhaseMessages::carried(RunId id, Channel channel, RankId from, std::uint32_t index) {
  const PhaseMessage message = message_of(id, from, index);
  const RankId to = channel == data ? message.to : message.from;
  const Bytes bytes = channel == data ? message.bytes : handshake_bytes;
  const std::uint16_t lane = channel == data ? message.lane : 0;
  const std::uint32_t receive =
      runs_[id].mailbox.match(mail_, to, {true, channel, lane, from, bytes, loop_.now(), 0, MailPool::none});
  if (receive != MailPool::none) loop_.dispatch(arrival(channel, id, to, mail_.take(receive).extra));
}

// Tells the sender that its data is awaited.
void PhaseMessages::await_data(RunId id, RankId rank, std::uint32_t index) {
  const PhaseMessage message = message_of(id, rank, index);
  post(id, data, rank, message.from, message.bytes, index, message.lane);
}

void PhaseMessages::post(RunId id, Channel channel, RankId rank, RankId from, Bytes bytes,
                         std::uint32_t index, std::uint16_t lane) {
  const std::uint32_t sent =
      runs_[id].mailbox.match(mail_, rank, {false, channel, lane, from, bytes, 0, index, MailPool::none});
  if (sent == MailPool::none) return;
  const Stamp remaining = loop_.clock().difference(mail_.take(sent).finish, loop_.now());
  loop_.after(remaining, arrival(channel, id, rank, index));
}

}  // namespace orrery::core
