#include "simulate/training_simulation.hpp"

#include <algorithm>
#include <numeric>

#include "network/transport.hpp"
#include "simulate/executor.hpp"
#include "simulate/rank_messages.hpp"
#include "simulate/stall.hpp"

namespace orrery {

namespace {

class StageTransport final : public Transport {
 public:
  StageTransport(EventLoop& loop, const MessageSeconds& seconds) : loop_(loop), seconds_(seconds) {}

  void send(int source, int destination, Bytes, const Event& delivered) override {
    const double seconds = seconds_(static_cast<std::size_t>(source), static_cast<std::size_t>(destination));
    loop_.after(loop_.clock().span(Time::from_ns_rounded(seconds * 1e9)), delivered);
  }
  std::vector<LinkUse> links(Time) const override { return {}; }

 private:
  EventLoop& loop_;
  const MessageSeconds& seconds_;
};

// A stage's collectives follow one another.
class TimedCollectives final : public CollectiveIssuer, public EventHandler {
 public:
  TimedCollectives(EventLoop& loop, const Program& program, bool take_time, CollectiveListener& listener)
      : loop_(loop),
        program_(program),
        take_time_(take_time),
        listener_(listener),
        handler_(loop.add_handler(*this)),
        free_(program.parts.size()) {}

  bool issue(std::uint32_t stage, std::uint32_t token, const CollectiveRequest&, Stamp) override {
    const Time duration = take_time_ ? program_.parts[stage].graph[token].duration : Time();
    free_[stage] = std::max(free_[stage], loop_.time()) + duration;
    loop_.after(loop_.clock().span(free_[stage] - loop_.time()), Event{handler_, 0, stage, token, 0});
    return true;
  }
  void handle(const Event& event) override { listener_.collective_completed(event.rank, event.object); }

 private:
  EventLoop& loop_;
  const Program& program_;
  bool take_time_;
  CollectiveListener& listener_;
  std::uint16_t handler_;
  std::vector<Time> free_;  // by stage: when the last one ends
};

}  // namespace

std::vector<StageRecording> simulate_training(const Program& program, const MessageSeconds& message,
                                              bool with_communication) {
  const auto stages = static_cast<std::uint32_t>(program.parts.size());
  const Machine machine;  // the machine of stages as they are
  const RankClasses classes = RankClasses::all_distinct(stages);
  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  RankTimers timers(loop, static_cast<int>(stages));
  std::vector<std::uint32_t> part_of(stages);
  std::iota(part_of.begin(), part_of.end(), 0U);
  const RankParts parts(classes, part_of, stages);
  Executor executor(loop, timers, program, machine, classes, parts);
  const MessageSeconds seconds = with_communication ? message : [](std::size_t, std::size_t) { return 0.0; };
  StageTransport transport(loop, seconds);
  RankMessages messages(loop, transport, program, classes, parts, executor);
  TimedCollectives collectives(loop, program, with_communication, executor);
  executor.start(collectives, &messages);
  loop.run({});
  if (!executor.finished()) throw_stall({executor.unfinished()}, 1);
  const std::vector<Time> finish = executor.take_finish();
  std::vector<StageRecording> recordings;
  for (std::uint32_t stage = 0; stage < stages; ++stage)
    recordings.push_back({executor.take_intervals(stage), finish[stage]});
  return recordings;
}

}  // namespace orrery
