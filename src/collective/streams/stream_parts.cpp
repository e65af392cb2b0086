#include "collective/streams/stream_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collective/phase/ambiguous_event_order.hpp"

namespace orrery::core {

namespace {

// Returns whether each message takes the same time to every member.
bool goes_in_step(const PhaseTiming& timing) {
  if (!std::holds_alternative<ExchangeSchedule>(timing.schedule)) return false;
  const std::size_t n = timing.members;
  for (std::size_t i = 0; i < timing.latencies.size(); ++i)
    if (timing.latencies[i] != timing.latencies[i - i % n]) return false;
  return true;
}

}  // namespace

void RepresentativeRank::start(const StreamShape& shape, const StreamMembers& members, Time endpoint_delay) {
  if (messages_meet)
    return;  // SymmetricRoutes exist only where all phases are exchanges and all NPUs are symmetric
  StreamTiming& timing = timings.timing(shape, members, endpoint_delay);
  const auto [times, is_new] = timing.times.try_emplace(members.rank_at(0), 0);
  if (is_new && !goes_in_step(timing.timing))
    throw AmbiguousEventOrder("members of a group do different things in a phase");
  ++times->second;
}

struct StreamParts::Port {
  StreamParts& parts;
  std::uint32_t stream;

  const Part& part() const { return parts.parts_[stream]; }
  void prepare(std::uint32_t index) const { parts.prepare(stream, index); }
  void ended() const { parts.listener_.part_ended(stream); }
};

struct StreamParts::ExchangePort : Port {
  void exchange(std::uint32_t index) const { parts.exchange(stream, index); }
  void turned_away() const {}
  bool opens_late() const { return false; }
};

struct StreamParts::TreePort : Port {
  std::uint32_t place(TreeSchedule::Relation relation) const {
    return std::get<TreeMember>(part().member).peer(relation);
  }
  void send(TreeSchedule::Relation to) const { parts.send(part(), place(to), part().bytes(to)); }
  void receive(TreeSchedule::Relation from) const {
    parts.receive(stream, place(from), part().bytes(from), from);
  }
};

struct StreamParts::ProgramPort : Port {
  Event done(std::uint32_t index) const { return parts.event(delivered, stream, index); }
  void send(std::uint32_t index) const {
    parts.messenger_.send(message_of(part(), part().step(index)), done(index));
  }
  void receive(std::uint32_t index) const {
    parts.messenger_.receive(message_of(part(), part().step(index)), done(index));
  }
  void compute(std::uint32_t index) const {
    parts.timers_.after(class_of_simulated(part().rank), part().step(index).duration, done(index));
  }
};

StreamParts::StreamParts(EventLoop& loop, RankTimers& timers, Messenger& messenger,
                         const SystemConfig& config, const Dialect& dialect, int npus, PartListener& listener,
                         RepresentativeRank* for_all)
    : timers_(timers),
      messenger_(messenger),
      config_(config),
      listener_(listener),
      for_all_(for_all),
      handler_(loop.add_handler(*this)),
      endpoints_(loop, timers, config, dialect, npus) {}

Time StreamParts::endpoint_delay(const StreamPart& part) const {
  constexpr Time small_group_delay = Time::from_ns(10);
  return part.small ? small_group_delay : config_.endpoint_delay;
}

void StreamParts::start(std::uint32_t stream, const StreamPart& part) {
  if (stream >= parts_.size()) parts_.resize(stream + 1);
  Part& made = parts_[stream] = Part{part, {}};
  if (part.phase->custom) {
    made.member.emplace<ProgramMember>(*part.phase->custom).start(ProgramPort{{*this, stream}});
    return;
  }
  const Schedule& schedule = part.phase->shape->schedule;
  if (for_all_) for_all_->start(*part.phase->shape, part.phase->members, endpoint_delay(part));
  if (const auto* tree = std::get_if<TreeSchedule>(&schedule))
    made.member.emplace<TreeMember>(tree->node(part.phase->members.position))
        .start(TreePort{{*this, stream}});
  else
    std::get<ExchangeMember>(made.member).start(made.exchange(), ExchangePort{{*this, stream}});
}

std::string StreamParts::progress(std::uint32_t stream) const {
  const auto& member = parts_[stream].member;
  if (const auto* program = std::get_if<ProgramMember>(&member))
    return fmt::format("steps left: {}", program->steps_left());
  const auto* exchange = std::get_if<ExchangeMember>(&member);
  return fmt::format("messages received so far: {}",
                     exchange ? exchange->received() : std::get<TreeMember>(member).received());
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

// Returns the time it takes to add received data to the rank's own data; nothing if no data are added.
std::optional<Time> StreamParts::Part::reduction(std::uint32_t index) const {
  if (phase->custom) return step(index).reduces ? std::optional(step(index).duration) : std::nullopt;
  const auto* tree = std::get_if<TreeMember>(&member);
  if (!(tree ? tree->reduces() : exchange().reducing(index))) return std::nullopt;
  const std::vector<Time>& reductions = phase->shape->reductions;
  return reductions[index % reductions.size()];
}

Bytes StreamParts::Part::bytes(std::uint32_t index) const {
  if (phase->custom) return step(index).bytes;
  if (const auto* tree = std::get_if<TreeSchedule>(&phase->shape->schedule)) return tree->bytes;
  return exchange().steps[index % exchange().steps.size()].bytes;
}

SharedBus::Pass StreamParts::Part::pass(std::uint32_t index) const {
  return phase->custom ? bus_pass(step(index))
                       : bus_pass(phase->shape->schedule, index, reduction(index).has_value());
}

void StreamParts::prepare(std::uint32_t stream, std::uint32_t index) {
  const Part& part = parts_[stream];
  const Event passed = event(endpoint_passed, stream, index);
  const auto load = [&] { return std::pair(part.bytes(index), part.pass(index)); };
  if (part.small || !endpoints_.pass_bus(part.rank, passed, load))
    timers_.after(class_of_simulated(part.rank), endpoint_delay(part), passed);
}

void StreamParts::on_endpoint_passed(std::uint32_t stream, std::uint32_t index) {
  const Part& part = parts_[stream];
  if (const std::optional<Time> reduction = part.reduction(index))
    timers_.after(class_of_simulated(part.rank), *reduction, event(prepared, stream, index));
  else
    on_prepared(stream, index);
}

void StreamParts::on_prepared(std::uint32_t stream, std::uint32_t index) {
  Part& part = parts_[stream];
  if (auto* program = std::get_if<ProgramMember>(&part.member))
    program->step_ended(index, ProgramPort{{*this, stream}});
  else if (auto* exchange = std::get_if<ExchangeMember>(&part.member))
    exchange->prepared(part.exchange(), ExchangePort{{*this, stream}});
  else
    std::get<TreeMember>(part.member)
        .prepared(static_cast<TreeSchedule::Step>(index), TreePort{{*this, stream}});
}

void StreamParts::on_delivered(std::uint32_t stream, std::uint32_t index) {
  Part& part = parts_[stream];
  if (auto* program = std::get_if<ProgramMember>(&part.member))
    program->step_ended(index, ProgramPort{{*this, stream}});
  else if (auto* exchange = std::get_if<ExchangeMember>(&part.member))
    exchange->arrived(part.exchange(), ExchangePort{{*this, stream}});
  else
    std::get<TreeMember>(part.member)
        .received(static_cast<TreeSchedule::Relation>(index), TreePort{{*this, stream}});
}

void StreamParts::send(const Part& part, std::uint32_t position, Bytes bytes) {
  messenger_.send(key_between(part.tag, part.rank, part.phase->members.rank_at(position), bytes),
                  messenger_.ignored());
}

void StreamParts::receive(std::uint32_t stream, std::uint32_t position, Bytes bytes, std::uint32_t index) {
  const Part& part = parts_[stream];
  messenger_.receive(key_between(part.tag, part.phase->members.rank_at(position), part.rank, bytes),
                     event(delivered, stream, index));
}

// Sends a message that is prepared, and awaits its counterpart.
void StreamParts::exchange(std::uint32_t stream, std::uint32_t index) {
  const Part& part = parts_[stream];
  const ExchangeSchedule& schedule = part.exchange();
  const auto& step = schedule.steps[index % schedule.steps.size()];
  const std::uint32_t x = part.phase->members.position, n = part.phase->members.size();
  const std::uint32_t from = ExchangeSchedule::sender(schedule.peer, x, step.amount, n);
  const std::uint32_t to = ExchangeSchedule::receiver(schedule.peer, x, step.amount, n);
  if (for_all_ && for_all_->messages_meet) return send_on_behalf(stream, to, step.bytes, index);
  if (for_all_)
    send_for_all(part, from, step);
  else if (schedule.peer == ExchangeSchedule::Peer::exclusive_or)
    messenger_.send_when_awaited(
        key_between(part.tag, part.rank, part.phase->members.rank_at(to), step.bytes));
  else
    send(part, to, step.bytes);
  receive(stream, from, step.bytes, index);
}

// Sends this rank the message that it would receive from `from`, which sends it in the same instant.
void StreamParts::send_for_all(const Part& part, std::uint32_t from, const ExchangeSchedule::Step& step) {
  const StreamMembers& members = part.phase->members;
  for_all_->order.set_origin({members.dimension, part.exchange().peer, step.amount});
  messenger_.send(key_between(part.tag, members.rank_at(from), part.rank, step.bytes), messenger_.ignored());
  for_all_->order.set_origin({});
}

// Sends a message, and receives it in place of its counterpart.
void StreamParts::send_on_behalf(std::uint32_t stream, std::uint32_t to, Bytes bytes, std::uint32_t index) {
  const Part& part = parts_[stream];
  const MessageKey own = key_between(part.tag, part.rank, part.phase->members.rank_at(to), bytes);
  messenger_.send(own, messenger_.ignored());
  messenger_.receive(own, event(delivered, stream, index));
}

MessageKey StreamParts::message_of(const Part& part, const MemberProgram::Step& step) {
  const StreamPhase& phase = *part.phase;
  const std::uint64_t tag = phase.custom->tagged ? step.tag % trace_tags : part.tag;
  const RankId peer = phase.members.rank_at((phase.origin + step.peer) % phase.members.size());
  if (step.kind == MemberProgram::Kind::send) return key_between(tag, part.rank, peer, step.bytes);
  return key_between(tag, peer, part.rank, step.bytes);
}

}  // namespace orrery::core
