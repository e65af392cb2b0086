#include "collective/timelines/program_timing.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

namespace orrery::core {

namespace {

using Step = MemberProgram::Step;

class ProgramRun {
 public:
  explicit ProgramRun(const PhaseTiming& timing)
      : timing_(timing), schedule_(std::get<ProgramSchedule>(timing.schedule)), members_(timing.members) {
    std::size_t steps = 0;
    for (std::uint32_t position = 0; position < timing.members; ++position) {
      Member& member = members_[position];
      member.program = &schedule_.program_of(schedule_.from_root(position, timing.root));
      member.missing = member.program->parents;
      member.ready.resize(member.missing.size());
      member.first_step = steps;
      steps += member.program->steps.size();
    }
  }

  CourseOutcome run(std::span<const Stamp> starts, std::span<Stamp> ends) {
    for (std::uint32_t position = 0; position < timing_.members; ++position) {
      ends[position] = starts[position];
      const Member& member = members_[position];
      for (std::uint32_t step = 0; step < member.program->steps.size(); ++step)
        if (member.program->parents[step] == 0) start(position, step, starts[position]);
    }
    while (!ended_.empty()) {
      const At ended = ended_.back();
      ended_.pop_back();
      ends[ended.position] = std::max(ends[ended.position], ended.at);
      Member& member = members_[ended.position];
      for (const std::uint32_t child : member.program->children.of(ended.step)) {
        member.ready[child] = std::max(member.ready[child], ended.at);
        if (--member.missing[child] == 0) start(ended.position, child, member.ready[child]);
      }
    }
    return {Time::from_ps(waited_)};
  }

 private:
  struct Member {
    const MemberProgram* program = nullptr;
    std::vector<std::uint32_t> missing;  // steps that each step waits for
    std::vector<Stamp> ready;            // when the last of them has ended
    std::size_t first_step = 0;          // of the course's messages
  };
  struct At {  // a step, and the time at which it starts or ends
    std::uint32_t position, step;
    Stamp at;
  };
  struct Ends {  // the ends of messages between two members that wait for their other end, first in first out
    std::deque<At> sends, receives;
  };

  void start(std::uint32_t position, std::uint32_t number, Stamp at) {
    const Step& step = members_[position].program->steps[number];
    const Clock& clock = timing_.clock;
    const std::uint32_t root = timing_.root;
    const std::uint32_t peer =
        schedule_.in_group(schedule_.peer_of(schedule_.from_root(position, root), step), root);
    switch (step.kind) {
      case MemberProgram::Kind::send: {
        Ends& ends = messages_[{position, peer, step.tag, step.bytes}];
        ends.sends.push_back({position, number, at});
        if (!timing_.rendezvous) ended_.push_back({position, number, delivery(ends.sends.back(), at)});
        meet(ends);
        break;
      }
      case MemberProgram::Kind::receive: {
        Ends& ends = messages_[{peer, position, step.tag, step.bytes}];
        ends.receives.push_back({position, number, at});
        meet(ends);
        break;
      }
      case MemberProgram::Kind::compute:
        ended_.push_back({position, number, clock.add(at, clock.span(step.duration))});
        break;
      case MemberProgram::Kind::prepare: {
        const Stamp prepared = clock.add(at, timing_.endpoint_delay);
        ended_.push_back(
            {position, number, step.reduces ? clock.add(prepared, clock.span(step.duration)) : prepared});
        break;
      }
    }
  }

  Stamp delivery(const At& send, Stamp sent) const {
    return timing_.clock.add(sent, timing_.latencies[members_[send.position].first_step + send.step]);
  }

  void meet(Ends& ends) {
    if (ends.sends.empty() || ends.receives.empty()) return;
    const At send = ends.sends.front(), receive = ends.receives.front();
    ends.sends.pop_front();
    ends.receives.pop_front();
    const Stamp arrived =
        timing_.arrival(members_[send.position].first_step + send.step, send.at, receive.at);
    if (timing_.rendezvous) ended_.push_back({send.position, send.step, arrived});
    ended_.push_back({receive.position, receive.step, arrived});
    const Step& received = members_[receive.position].program->steps[receive.step];
    if (receive.position == 0 && received.at == MemberProgram::npu) waited_ += arrived - receive.at;
  }

  const PhaseTiming& timing_;
  const ProgramSchedule& schedule_;
  std::vector<Member> members_;  // by position
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, Bytes>, Ends> messages_;
  std::vector<At> ended_;
  Stamp waited_ = 0;  // time that position 0 waited for what it receives
};

}  // namespace

CourseOutcome run_programs(const PhaseTiming& timing, std::span<const Stamp> starts, std::span<Stamp> ends) {
  return ProgramRun(timing).run(starts, ends);
}

}  // namespace orrery::core
