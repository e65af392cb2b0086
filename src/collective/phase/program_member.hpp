// Decides what a member does that runs a program: every step starts as soon as the steps that it waits for
// have ended (docs/models/collectives.md, Collectives with a root).
#pragma once

#include <cstdint>
#include <vector>

#include "collective/algorithms/member_program.hpp"

namespace orrery::core {

// A port carries out what the member decides:
//   send(index), receive(index), compute(index), prepare(index)   start that step, which is of this kind
//   ended()                                                       hears, after everything else, that the
//                                                                 last step has ended
class ProgramMember {
 public:
  ProgramMember() = default;
  explicit ProgramMember(const MemberProgram& program) : program_(&program) {}

  const MemberProgram::Step& step(std::uint32_t index) const { return program_->steps[index]; }
  std::size_t steps() const { return program_->steps.size(); }
  std::size_t steps_left() const { return steps_left_; }

  template <class Port>
  void start(const Port& port) {
    missing_ = program_->parents;
    steps_left_ = steps();
    for (std::uint32_t index = 0; index < steps(); ++index)
      if (program_->parents[index] == 0) start_step(index, port);
  }

  template <class Port>
  void step_ended(std::uint32_t index, const Port& port) {
    for (const std::uint32_t child : program_->children.of(index))
      if (--missing_[child] == 0) start_step(child, port);
    if (--steps_left_ == 0) port.ended();
  }

 private:
  template <class Port>
  void start_step(std::uint32_t index, const Port& port) const {
    switch (step(index).kind) {
      case MemberProgram::Kind::send:
        port.send(index);
        break;
      case MemberProgram::Kind::receive:
        port.receive(index);
        break;
      case MemberProgram::Kind::compute:
        port.compute(index);
        break;
      case MemberProgram::Kind::prepare:
        port.prepare(index);
        break;
    }
  }

  const MemberProgram* program_ = nullptr;
  std::vector<std::uint32_t> missing_;  // number of steps that each step waits for
  std::size_t steps_left_ = 0;
};

}  // namespace orrery::core
