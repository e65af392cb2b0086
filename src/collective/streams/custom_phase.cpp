// Some phases run a program, which is the user's or that of a rooted collective. Every step of it starts as
// soon as it may (docs/models/streams.md, Custom algorithms and Rooted collectives).
#include <fmt/format.h>

#include "collective/streams/stream_engine.hpp"

namespace orrery {

void StreamEngine::start_custom(std::uint32_t number) {
  const CustomProgram& program = *present(streams_[number]).custom;
  streams_[number].missing = program.parents;
  streams_[number].sends_left = program.steps.size();  // steps that have not ended
  for (std::uint32_t step = 0; step < program.steps.size(); ++step) {
    if (program.parents[step] == 0) issue_custom(number, step);
  }
}

void StreamEngine::issue_custom(std::uint32_t number, std::uint32_t index) {
  constexpr std::uint64_t trace_tags = 500'000'000;
  const Stream& stream = streams_[number];
  const StreamPhase& phase = present(stream);
  const CustomProgram::Step& step = phase.custom->steps[index];
  const Event done = event(custom_step_ended, number, index);
  const std::uint64_t tag = phase.custom->tagged ? step.tag % trace_tags : stream.tag;
  const std::uint32_t peer = phase.members.rank_at((phase.origin + step.peer) % phase.members.size());
  switch (step.kind) {
    case CustomProgram::Kind::send:
      messenger_.send({tag, stream.rank, peer, step.bytes}, done);
      break;
    case CustomProgram::Kind::receive:
      messenger_.receive({tag, peer, stream.rank, step.bytes}, done);
      break;
    case CustomProgram::Kind::compute:
      timers_.after(stream.rank, step.duration, done);
      break;
    case CustomProgram::Kind::prepare: {
      const SharedBus::Side side = step.arrived ? SharedBus::memory_side : SharedBus::npu_side;
      pass_endpoint(stream, step.bytes, {side, step.reduces, step.passed_on},
                    event(custom_endpoint_passed, number, index));
      break;
    }
  }
}

void StreamEngine::on_custom_endpoint_passed(std::uint32_t number, std::uint32_t index) {
  const Stream& stream = streams_[number];
  const CustomProgram::Step& step = present(stream).custom->steps[index];
  if (!step.reduces) {
    on_custom_step_ended(number, index);
    return;
  }
  timers_.after(stream.rank, step.duration, event(custom_step_ended, number, index));
}

void StreamEngine::on_custom_step_ended(std::uint32_t number, std::uint32_t index) {
  const CustomProgram& program = *present(streams_[number]).custom;
  for (const std::uint32_t child : program.children_of(index)) {
    if (--streams_[number].missing[child] == 0) issue_custom(number, child);
  }
  if (--streams_[number].sends_left == 0) advance(number);
}

}  // namespace orrery
