#include "collective/messages/program_phases.hpp"

#include <fmt/format.h>

namespace orrery {

struct ProgramPhases::Port {
  ProgramPhases& phases;
  RunId run;
  std::uint32_t rank;

  const MemberProgram::Step& step(std::uint32_t index) const {
    return phases.machine_.runs[run].in_program[rank].step(index);
  }
  void send(std::uint32_t index) const {
    phases.machine_.messages.send(run, rank, index, phases.message(run, rank, index));
  }
  void receive(std::uint32_t index) const {
    phases.machine_.messages.receive(run, rank, index, phases.message(run, rank, index));
  }
  void compute(std::uint32_t index) const {
    phases.machine_.timers.after(rank, step(index).duration, phases.event(prepared, run, rank, index));
  }
  void prepare(std::uint32_t index) const {
    phases.machine_.endpoints.pass(rank, phases.event(endpoint_passed, run, rank, index),
                                   [&] { return std::pair(step(index).bytes, bus_pass(step(index))); });
  }
  void ended() const { phases.machine_.runs.ended(run, rank); }
};

void ProgramPhases::open(RunId id) {
  PhaseRun& run = machine_.runs[id];
  const auto& schedule = std::get<ProgramSchedule>(run.shape->schedule);
  const std::uint32_t ranks = machine_.runs.ranks();
  run.in_program.clear();
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const int position = run.shape->group.position(static_cast<int>(rank));
    const auto [program, origin] =
        schedule.member_in_group(static_cast<std::uint32_t>(position), run.shape->root);
    run.in_program.push_back({ProgramMember(schedule.programs[program]), origin});
  }
  run.mailbox.reset(ranks, 1);
  run.posted.assign(run.in_program[run.recorded].steps(), Time());
}

void ProgramPhases::start(RunId id, std::uint32_t rank) {
  machine_.runs[id].in_program[rank].start(Port{*this, id, rank});
}

void ProgramPhases::handle(const Event& event_now) {
  const RunId id = event_now.object;
  const std::uint32_t rank = event_now.rank, index = event_now.extra;
  PhaseRun& run = machine_.runs[id];
  PhaseRun::InProgram& member = run.in_program[rank];
  const MemberProgram::Step& step = member.step(index);
  if (event_now.what == endpoint_passed && step.reduces) {
    machine_.timers.after(rank, step.duration, event(prepared, id, rank, index));
    return;
  }
  if (event_now.what == data_arrived) run.receives(rank, index, machine_.loop);
  member.step_ended(index, Port{*this, id, rank});
}

PhaseMessage ProgramPhases::message(RunId id, std::uint32_t rank, std::uint32_t index) const {
  const PhaseRun& run = machine_.runs[id];
  const LogicalDimension& group = run.shape->group;
  const PhaseRun::InProgram& member = run.in_program[rank];
  const MemberProgram::Step& step = member.step(index);
  const std::uint32_t position = (member.origin + step.peer) % static_cast<std::uint32_t>(group.size);
  const auto peer = static_cast<std::uint32_t>(group.base(static_cast<int>(rank)) +
                                               static_cast<int>(position) * group.stride);
  return {peer, peer, step.bytes};
}

std::string ProgramPhases::waiting(RunId id, std::uint32_t rank) const {
  const ProgramMember& member = machine_.runs[id].in_program[rank];
  return fmt::format("has {} of the {} steps of its part left", member.steps_left(), member.steps());
}

}  // namespace orrery
