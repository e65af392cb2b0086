// This file holds what members do in a phase in which each runs a program (docs/models/collectives.md,
// Collectives with a root). Every step starts as soon as those that it waits for have ended.
#include "collective/message_engine.hpp"

namespace orrery {

std::uint32_t MessageEngine::position_from_root(const Run& run, std::uint32_t rank) const {
  const int position = run.shape->group.position(static_cast<int>(rank));
  return run.program->from_root(static_cast<std::uint32_t>(position), run.shape->root);
}

const MemberProgram& MessageEngine::program_of(const Run& run, std::uint32_t rank) const {
  return run.program->program_of(position_from_root(run, rank));
}

MessageEngine::Message MessageEngine::program_message(const Run& run, std::uint32_t rank,
                                                      std::uint32_t step) const {
  const std::uint32_t position = position_from_root(run, rank);
  const MemberProgram::Step& of = run.program->program_of(position).steps[step];
  const LogicalDimension& group = run.shape->group;
  const std::uint32_t place = run.program->in_group(run.program->peer_of(position, of), run.shape->root);
  const auto peer =
      static_cast<std::uint32_t>(group.base(static_cast<int>(rank)) + static_cast<int>(place) * group.stride);
  return {peer, peer, of.bytes};
}

void MessageEngine::start_program(RunId id, std::uint32_t rank) {
  const MemberProgram& program = program_of(*runs_[id], rank);
  runs_[id]->missing[rank] = program.parents;
  runs_[id]->members[rank].credit = static_cast<std::uint32_t>(program.steps.size());
  for (std::uint32_t step = 0; step < program.steps.size(); ++step)
    if (program.parents[step] == 0) start_step(id, rank, step);
}

void MessageEngine::start_step(RunId id, std::uint32_t rank, std::uint32_t index) {
  const MemberProgram::Step& step = program_of(*runs_[id], rank).steps[index];
  switch (step.kind) {
    case MemberProgram::Kind::send:
      send(id, rank, index);
      break;
    case MemberProgram::Kind::receive:
      receive(id, rank, index);
      break;
    case MemberProgram::Kind::compute:
      timers_.after(rank, step.duration, event(prepared, id, rank, index));
      break;
    case MemberProgram::Kind::prepare: {
      const Event passed = event(endpoint_passed, id, rank, index);
      const SharedBus::Side side = step.arrived ? SharedBus::memory_side : SharedBus::npu_side;
      if (bus_)
        bus_->request(rank, step.bytes, {side, step.reduces, step.passed_on}, passed);
      else
        timers_.after(rank, system_.endpoint_delay, passed);
      break;
    }
  }
}

void MessageEngine::program_endpoint_passed(RunId id, std::uint32_t rank, std::uint32_t index) {
  const MemberProgram::Step& step = program_of(*runs_[id], rank).steps[index];
  if (step.reduces)
    timers_.after(rank, step.duration, event(prepared, id, rank, index));
  else
    step_ended(id, rank, index);
}

void MessageEngine::step_ended(RunId id, std::uint32_t rank, std::uint32_t index) {
  const MemberProgram& program = program_of(*runs_[id], rank);
  for (const std::uint32_t child : program.children_of(index))
    if (--runs_[id]->missing[rank][child] == 0) start_step(id, rank, child);
  if (--runs_[id]->members[rank].credit == 0) ended(id, rank);
}

}  // namespace orrery
