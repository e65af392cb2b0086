// This file is one rank's part in a phase: the common machine of ring, direct and halving-doubling, and the
// nodes of trees (docs/models/streams.md, Algorithms).
#include "collective/streams/stream_engine.hpp"

namespace orrery {

void StreamEngine::begin_exchange(std::uint32_t number) {
  prepare(number, streams_[number].begun++);
}

void StreamEngine::exchange_prepared(std::uint32_t number) {
  Stream& stream = streams_[number];
  const auto& schedule = std::get<ExchangeSchedule>(present(stream).shape->schedule);
  ++stream.credit;
  std::uint32_t tries = 1;
  if (stream.sends_left <= schedule.gate) {
    if (stream.received < schedule.gate) return;
    tries = schedule.in_flight;
  }
  for (; tries > 0; --tries) {
    if (!try_exchange(number)) break;
  }
  if (stream.sends_left == 0 && stream.credit == schedule.in_flight) advance(number);
}

bool StreamEngine::try_exchange(std::uint32_t number) {
  Stream& stream = streams_[number];
  const StreamPhase& phase = present(stream);
  const auto& schedule = std::get<ExchangeSchedule>(phase.shape->schedule);
  const std::uint64_t index = schedule.messages - stream.sends_left;
  if (stream.sends_left == 0 || stream.credit == 0 || index >= stream.begun) return false;
  const auto& step = schedule.steps[index % schedule.steps.size()];
  const std::uint32_t x = phase.members.position, n = phase.members.size();
  const std::uint32_t from = ExchangeSchedule::sender(schedule.peer, x, step.amount, n);
  if (for_all_)
    send_for_all(number, from, step);
  else
    send(number, ExchangeSchedule::receiver(schedule.peer, x, step.amount, n), step.bytes);
  receive(number, from, step.bytes, static_cast<std::uint32_t>(index));
  --stream.sends_left;
  --stream.credit;
  return true;
}

// Sends this rank the message that `from` sends it in the same instant.
void StreamEngine::send_for_all(std::uint32_t number, std::uint32_t from,
                                const ExchangeSchedule::Step& step) {
  const Stream& stream = streams_[number];
  const StreamMembers& members = present(stream).members;
  const auto& schedule = std::get<ExchangeSchedule>(present(stream).shape->schedule);
  for_all_->order.set_origin({members.dimension, schedule.peer, step.amount});
  messenger_.send({stream.tag, members.rank_at(from), stream.rank, step.bytes}, messenger_.ignored());
  for_all_->order.set_origin({});
}

TreeSchedule::Node StreamEngine::node_of(const Stream& stream) const {
  const StreamPhase& phase = present(stream);
  return std::get<TreeSchedule>(phase.shape->schedule).node(phase.members.position);
}

void StreamEngine::start_tree(std::uint32_t number) {
  const TreeSchedule::Node node = node_of(streams_[number]);
  const Bytes bytes = present(streams_[number]).shape->input;
  if (node.left == TreeSchedule::none) {
    prepare(number, first_up);
    return;
  }
  receive(number, static_cast<std::uint32_t>(node.left), bytes, left);
  if (node.right != TreeSchedule::none) receive(number, static_cast<std::uint32_t>(node.right), bytes, right);
}

void StreamEngine::tree_received(std::uint32_t number, std::uint32_t relation) {
  if (relation == parent) {
    prepare(number, down);
  } else if (node_of(streams_[number]).parent == TreeSchedule::none) {
    prepare(number, root_turn);
  } else {
    prepare(number, ++streams_[number].received == 2 ? last_child_gathered : child_gathered);
  }
}

void StreamEngine::go_up(std::uint32_t number) {
  const auto up = static_cast<std::uint32_t>(node_of(streams_[number]).parent);
  const Bytes bytes = present(streams_[number]).shape->input;
  send(number, up, bytes);
  receive(number, up, bytes, parent);
}

void StreamEngine::tree_prepared(std::uint32_t number, std::uint32_t step) {
  const TreeSchedule::Node node = node_of(streams_[number]);
  const Bytes bytes = present(streams_[number]).shape->input;
  switch (step) {
    case first_up:
      go_up(number);
      break;
    case child_gathered:
    case last_child_gathered:
      if (++streams_[number].credit == 2) go_up(number);
      break;
    case root_turn:
      send(number, static_cast<std::uint32_t>(node.left), bytes);
      advance(number);
      break;
    case down:
      if (node.left != TreeSchedule::none) {
        send(number, static_cast<std::uint32_t>(node.left), bytes);
        send(number, static_cast<std::uint32_t>(node.right), bytes);
      }
      advance(number);
      break;
    default:
      break;
  }
}

}  // namespace orrery
