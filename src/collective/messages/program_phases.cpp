#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "collective/messages/phase_messages.hpp"

namespace orrery::core {

namespace {

class ProgramPhases final : public PhaseKind {
 public:
  explicit ProgramPhases(const PhaseMachine& machine) : PhaseKind(machine, true) {}

  void open(PhaseRun& run) override {
    const auto& schedule = std::get<ProgramSchedule>(run.shape->schedule);
    run.in_program.clear();
    for (const RankId rank : first_ids<RankId>(machine_.runs.ranks())) {
      const auto [program, origin] = schedule.member_in_group(run.position(rank), run.shape->root);
      run.in_program.push_back({ProgramMember(schedule.programs[program]), origin});
    }
    run.expect(run.in_program[run.recorded.index()].steps());
  }

  void start(RunId id, RankId rank) override {
    machine_.runs[id].in_program[rank.index()].start(Port{*this, id, rank});
  }

  void handle(const Event& event_now) override {
    const RunId id = event_now.object;
    const RankId rank(event_now.rank);
    const std::uint32_t index = event_now.extra;
    PhaseRun& run = machine_.runs[id];
    ProgramMember& member = run.in_program[rank.index()];
    if (event_now.what == endpoint_passed && member.step(index).reduces) {
      machine_.timers.after(class_of_simulated(rank), member.step(index).duration,
                            event(prepared, id, rank, index));
      return;
    }
    if (event_now.what == data_arrived && member.step(index).at == MemberProgram::npu)
      run.receives(rank, index, machine_.loop);
    member.step_ended(index, Port{*this, id, rank});
  }

  PhaseMessage message(RunId id, RankId rank, std::uint32_t index) const override {
    const PhaseRun& run = machine_.runs[id];
    const PhaseRun::InProgram& member = run.in_program[rank.index()];
    const MemberProgram::Step& step = member.step(index);
    const auto members = static_cast<std::uint32_t>(run.shape->group.size);
    const RankId peer = run.rank_at(rank, (member.origin + step.peer) % members);
    PhaseMessage message{peer, peer, step.bytes, static_cast<std::uint16_t>(step.tag)};
    if (step.at != MemberProgram::npu || step.peer_at != MemberProgram::npu)
      message.devices = {run.shape->device(npu_of(rank), step.at),
                         run.shape->device(npu_of(peer), step.peer_at)};
    return message;
  }

  std::string waiting(RunId id, RankId rank) const override {
    const ProgramMember& member = machine_.runs[id].in_program[rank.index()];
    return fmt::format("has {} of the {} steps of its part left", member.steps_left(), member.steps());
  }

 private:
  // A switch makes the sums of several phases one after the other.
  void add_up(RunId id, RankId rank, std::uint32_t index) {
    const PhaseRun& run = machine_.runs[id];
    const MemberProgram::Step& step = run.in_program[rank.index()].step(index);
    const Clock& clock = machine_.loop.clock();
    Stamp& free_at = switch_free_at_[run.shape->device(npu_of(rank), step.at)];
    free_at = clock.add(std::max(free_at, machine_.loop.now()), clock.span(step.duration));
    machine_.loop.at(free_at, event(prepared, id, rank, index));
  }

  std::map<int, Stamp> switch_free_at_;  // by device

  struct Port {  // of a member
    ProgramPhases& phases;
    RunId run;
    RankId rank;

    const MemberProgram::Step& step(std::uint32_t index) const {
      return phases.machine_.runs[run].in_program[rank.index()].step(index);
    }
    void send(std::uint32_t index) const {
      phases.machine_.messages.send(run, rank, index, phases.message(run, rank, index));
    }
    void receive(std::uint32_t index) const {
      phases.machine_.messages.receive(run, rank, index, phases.message(run, rank, index));
    }
    void compute(std::uint32_t index) const {
      if (step(index).at != MemberProgram::npu) return phases.add_up(run, rank, index);
      phases.machine_.timers.after(class_of_simulated(rank), step(index).duration,
                                   phases.event(prepared, run, rank, index));
    }
    void prepare(std::uint32_t index) const {
      phases.machine_.endpoints.pass(rank, phases.event(endpoint_passed, run, rank, index),
                                     [&] { return std::pair(step(index).bytes, bus_pass(step(index))); });
    }
    void ended() const { phases.machine_.runs.ended(run, rank); }
  };
};

}  // namespace

std::unique_ptr<PhaseKind> make_program_phases(const PhaseMachine& machine) {
  return std::make_unique<ProgramPhases>(machine);
}

}  // namespace orrery::core
