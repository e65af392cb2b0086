#include "collective/streams/stream_parts.hpp"

#include <fmt/format.h>

namespace orrery {

StreamParts::StreamParts(EventLoop& loop, RankTimers& timers, Messenger& messenger,
                         const StreamConfig& config, const Dialect& dialect, int npus, PartListener& listener,
                         RankForAll* for_all)
    : timers_(timers),
      messenger_(messenger),
      config_(config),
      listener_(listener),
      for_all_(for_all),
      handler_(loop.add_handler(*this)) {
  if (config.shared_bus) bus_ = std::make_unique<SharedBus>(loop, timers, *config.shared_bus, dialect, npus);
}

Time StreamParts::endpoint_delay(const StreamPart& part) const {
  constexpr Time small_group_delay = Time::from_ns(10);
  return part.small ? small_group_delay : config_.endpoint_delay;
}

void StreamParts::start(std::uint32_t stream, const StreamPart& part) {
  if (stream >= parts_.size()) parts_.resize(stream + 1);
  Part& made = parts_[stream] = Part{part};
  if (part.phase->custom) {
    start_program(stream);
    return;
  }
  if (for_all_) for_all_->start(*part.phase->shape, part.phase->members, endpoint_delay(part));
  const ExchangeSchedule* exchange = made.exchange();
  if (!exchange) {
    start_tree(stream);
    return;
  }
  made.remaining = exchange->messages;
  for (std::uint32_t i = 0; i < exchange->in_flight; ++i) prepare(stream, made.begun++);
}

std::string StreamParts::progress(std::uint32_t stream) const {
  const Part& part = parts_[stream];
  return part.phase->custom ? fmt::format("steps left: {}", part.remaining)
                            : fmt::format("messages received so far: {}", part.received);
}

void StreamParts::handle(const Event& event) {
  switch (event.what) {
    case endpoint_passed:
      on_endpoint_passed(event.object, event.extra);
      break;
    case prepared:
      on_prepared(event.object, event.extra);
      break;
    case delivered:
      on_delivered(event.object, event.extra);
      break;
    default:
      break;
  }
}

// Returns how long it takes to add received data to own data; nothing if that is not done.
std::optional<Time> StreamParts::Part::reduction(std::uint32_t index) const {
  if (phase->custom) return step(index).reduces ? std::optional(step(index).duration) : std::nullopt;
  const StreamShape& shape = *phase->shape;
  const bool reduces =
      exchange() ? !shape.reducing.empty() && shape.reducing[index] != 0 : node().left != TreeSchedule::none;
  if (!reduces) return std::nullopt;
  return shape.reductions[index % shape.reductions.size()];
}

Bytes StreamParts::Part::bytes(std::uint32_t index) const {
  if (phase->custom) return step(index).bytes;
  if (const ExchangeSchedule* schedule = exchange())
    return schedule->steps[index % schedule->steps.size()].bytes;
  return std::get<TreeSchedule>(phase->shape->schedule).bytes;
}

SharedBus::Pass StreamParts::Part::pass(std::uint32_t index) const {
  if (!phase->custom) return bus_pass(phase->shape->schedule, index, reduction(index).has_value());
  const MemberProgram::Step& prepared = step(index);
  return {prepared.arrived ? SharedBus::memory_side : SharedBus::npu_side, prepared.reduces,
          prepared.passed_on};
}

void StreamParts::prepare(std::uint32_t stream, std::uint32_t index) {
  const Part& part = parts_[stream];
  const Event passed = event(endpoint_passed, stream, index);
  if (bus_ && !part.small)
    bus_->request(part.rank, part.bytes(index), part.pass(index), passed);
  else
    timers_.after(part.rank, endpoint_delay(part), passed);
}

void StreamParts::on_endpoint_passed(std::uint32_t stream, std::uint32_t index) {
  const Part& part = parts_[stream];
  if (const std::optional<Time> reduction = part.reduction(index))
    timers_.after(part.rank, *reduction, event(prepared, stream, index));
  else
    on_prepared(stream, index);
}

void StreamParts::on_prepared(std::uint32_t stream, std::uint32_t index) {
  const Part& part = parts_[stream];
  if (part.phase->custom)
    step_ended(stream, index);
  else if (part.exchange())
    exchange_prepared(stream);
  else
    tree_prepared(stream, index);
}

void StreamParts::on_delivered(std::uint32_t stream, std::uint32_t index) {
  Part& part = parts_[stream];
  if (part.phase->custom) {
    step_ended(stream, index);
  } else if (part.exchange()) {
    ++part.received;
    prepare(stream, part.begun++);
  } else {
    tree_received(stream, index);
  }
}

void StreamParts::send(const Part& part, std::uint32_t position, Bytes bytes) {
  messenger_.send({part.tag, part.rank, part.phase->members.rank_at(position), bytes}, messenger_.ignored());
}

void StreamParts::receive(std::uint32_t stream, std::uint32_t position, Bytes bytes, std::uint32_t index) {
  const Part& part = parts_[stream];
  messenger_.receive({part.tag, part.phase->members.rank_at(position), part.rank, bytes},
                     event(delivered, stream, index));
}

void StreamParts::exchange_prepared(std::uint32_t stream) {
  Part& part = parts_[stream];
  const ExchangeSchedule& schedule = *part.exchange();
  ++part.credit;
  const bool behind_gate = part.remaining <= schedule.gate;
  if (behind_gate && part.received < schedule.gate) return;
  std::uint32_t most = behind_gate ? schedule.in_flight : 1;
  for (; most > 0 && part.credit > 0 && part.remaining > 0; --most) exchange(stream);
  if (part.remaining == 0 && part.credit == schedule.in_flight) listener_.part_ended(stream);
}

// Sends the next message that is prepared, and awaits its counterpart.
void StreamParts::exchange(std::uint32_t stream) {
  Part& part = parts_[stream];
  const ExchangeSchedule& schedule = *part.exchange();
  const std::uint64_t index = schedule.messages - part.remaining;
  const auto& step = schedule.steps[index % schedule.steps.size()];
  const std::uint32_t x = part.phase->members.position, n = part.phase->members.size();
  const std::uint32_t from = ExchangeSchedule::sender(schedule.peer, x, step.amount, n);
  if (for_all_)
    send_for_all(part, from, step);
  else
    send(part, ExchangeSchedule::receiver(schedule.peer, x, step.amount, n), step.bytes);
  receive(stream, from, step.bytes, static_cast<std::uint32_t>(index));
  --part.remaining;
  --part.credit;
}

// Sends this rank the message that `from` sends it in the same instant.
void StreamParts::send_for_all(const Part& part, std::uint32_t from, const ExchangeSchedule::Step& step) {
  const StreamMembers& members = part.phase->members;
  for_all_->order.set_origin({members.dimension, part.exchange()->peer, step.amount});
  messenger_.send({part.tag, members.rank_at(from), part.rank, step.bytes}, messenger_.ignored());
  for_all_->order.set_origin({});
}

void StreamParts::start_tree(std::uint32_t stream) {
  const TreeSchedule::Node node = parts_[stream].node();
  if (node.left == TreeSchedule::none) {
    prepare(stream, first_up);
    return;
  }
  const Bytes bytes = parts_[stream].bytes(first_up);
  receive(stream, static_cast<std::uint32_t>(node.left), bytes, left);
  if (node.right != TreeSchedule::none) receive(stream, static_cast<std::uint32_t>(node.right), bytes, right);
}

void StreamParts::tree_received(std::uint32_t stream, std::uint32_t relation) {
  if (relation == parent) {
    prepare(stream, down);
  } else if (parts_[stream].node().parent == TreeSchedule::none) {
    prepare(stream, root_turn);
  } else {
    prepare(stream, ++parts_[stream].received == 2 ? last_child_gathered : child_gathered);
  }
}

void StreamParts::go_up(std::uint32_t stream) {
  const Part& part = parts_[stream];
  const auto up = static_cast<std::uint32_t>(part.node().parent);
  send(part, up, part.bytes(first_up));
  receive(stream, up, part.bytes(first_up), parent);
}

void StreamParts::tree_prepared(std::uint32_t stream, std::uint32_t step) {
  if (step == first_up ||
      ((step == child_gathered || step == last_child_gathered) && ++parts_[stream].credit == 2)) {
    go_up(stream);
  } else if (step == root_turn || step == down) {
    const TreeSchedule::Node node = parts_[stream].node();
    for (const std::int32_t child : {node.left, node.right}) {
      if (child != TreeSchedule::none)
        send(parts_[stream], static_cast<std::uint32_t>(child), parts_[stream].bytes(step));
    }
    listener_.part_ended(stream);
  }
}

// Every step of a program starts as soon as it may.
void StreamParts::start_program(std::uint32_t stream) {
  const MemberProgram& program = *parts_[stream].phase->custom;
  parts_[stream].missing = program.parents;
  parts_[stream].remaining = program.steps.size();
  for (std::uint32_t step = 0; step < program.steps.size(); ++step) {
    if (program.parents[step] == 0) issue_step(stream, step);
  }
}

void StreamParts::issue_step(std::uint32_t stream, std::uint32_t index) {
  const Part& part = parts_[stream];
  const StreamPhase& phase = *part.phase;
  const MemberProgram::Step& step = part.step(index);
  const Event done = event(delivered, stream, index);
  const std::uint64_t tag = phase.custom->tagged ? step.tag % trace_tags : part.tag;
  const std::uint32_t peer = phase.members.rank_at((phase.origin + step.peer) % phase.members.size());
  switch (step.kind) {
    case MemberProgram::Kind::send:
      messenger_.send({tag, part.rank, peer, step.bytes}, done);
      break;
    case MemberProgram::Kind::receive:
      messenger_.receive({tag, peer, part.rank, step.bytes}, done);
      break;
    case MemberProgram::Kind::compute:
      timers_.after(part.rank, step.duration, done);
      break;
    case MemberProgram::Kind::prepare:
      prepare(stream, index);
      break;
  }
}

void StreamParts::step_ended(std::uint32_t stream, std::uint32_t index) {
  const MemberProgram& program = *parts_[stream].phase->custom;
  for (const std::uint32_t child : program.children_of(index)) {
    if (--parts_[stream].missing[child] == 0) issue_step(stream, child);
  }
  if (--parts_[stream].remaining == 0) listener_.part_ended(stream);
}

}  // namespace orrery
