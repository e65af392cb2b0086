#include "workload/training/step/step_clock.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/training/stages/exchange_lane.hpp"
#include "workload/training/stages/stage_walk.hpp"

namespace orrery::core {

namespace {

constexpr Time not_sent = Time::from_ps(-1);
constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

// Knows when each message of the step arrives.
class Arrivals {
 public:
  explicit Arrivals(const PipelineShape& shape)
      : micro_batches_(static_cast<std::size_t>(shape.micro_batches)),
        times_(2 * static_cast<std::size_t>(shape.chunks()) * micro_batches_, not_sent) {}

  std::size_t number_of(const StageMessage& message) const {
    return static_cast<std::size_t>(message.tag) * micro_batches_ +
           static_cast<std::size_t>(message.of.micro_batch);
  }
  Time& operator[](std::size_t number) { return times_[number]; }

 private:
  std::size_t micro_batches_;
  std::vector<Time> times_;
};

// Keeps the time of a stage.
class StageClock {
 public:
  StageClock(const TrainingSetup& setup, const StageCosts& costs, int stage, Arrivals& arrivals)
      : arrivals_(arrivals) {
    const int stages = setup.pipeline().stages;
    if (stages == 1) return;
    const auto time_to = [&](int other) {
      const int peer = (other + stages) % stages;
      return costs.message_time(static_cast<std::size_t>(stage), static_cast<std::size_t>(peer));
    };
    forward_ = time_to(stage + 1);
    backward_ = time_to(stage - 1);
  }

  void pass(const PassPart& part) { now_ = exchanges_.compute(begin(), part.duration, part.contention); }
  void update(int, Time optimizer, Time shared_embedding) { now_ = begin() + optimizer + shared_embedding; }
  void receive(const StageMessage& message) {
    now_ = std::max(begin(), arrivals_[arrivals_.number_of(message)]);
  }
  void send(const StageMessage& message, bool beside) {
    const Time end = now_ + (message.of.backward ? backward_ : forward_);
    wait(beside ? awaited_at_end_ : awaited_, end);
    sent_ = arrivals_.number_of(message);
    receiver_ = message.peer;
    arrivals_[sent_] = end;
  }
  void exchange(int, const ParameterExchange& exchange) {
    for (const Time alone : exchange.times) exchanges_.add(now_, alone);
  }
  void wait_for_all() { awaited_ = std::max(awaited_at_end_, exchanges_.end_of_all()); }
  void gather(int layer, const ParameterExchange& exchange, Time hidden) {
    this->exchange(layer, exchange);
    wait(awaited_, exchanges_.end_of_all() - hidden);
  }
  void end() { now_ = begin(); }

  Time now() const { return now_; }
  // The last message, by its number, and the stage that it goes to.
  std::size_t sent() const { return sent_; }
  int receiver() const { return receiver_; }

 private:
  static void wait(Time& awaited, Time end) { awaited = std::max(awaited, end); }
  Time begin() {
    const Time begin = std::max(now_, awaited_);
    awaited_ = Time();
    return begin;
  }

  Arrivals& arrivals_;
  Time forward_, backward_;  // what messages take
  Time now_;                 // the end of what came last
  Time awaited_;             // by what comes next
  Time awaited_at_end_;      // of messages
  ExchangeLane exchanges_;
  std::size_t sent_ = nothing;
  int receiver_ = 0;
};

struct Stage {
  StageClock clock;
  StageWalk<StageClock> walk;
  int passes_done = 0;
  std::size_t awaits = nothing;  // the message that its next pass needs, while nobody has sent it

  Stage(const TrainingSetup& setup, const StageCosts& costs, int stage, Arrivals& arrivals)
      : clock(setup, costs, stage, arrivals), walk(setup, costs, stage, clock) {}
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
};

class StepClock {
 public:
  StepClock(const TrainingSetup& setup, const StageCosts& costs)
      : shape_(setup.pipeline()), arrivals_(shape_) {
    for (int stage = 0; stage < shape_.stages; ++stage)
      stages_.push_back(std::make_unique<Stage>(setup, costs, stage, arrivals_));
  }

  Time end() {
    std::vector<int> ready;
    for (int stage = shape_.stages; stage-- > 0;) ready.push_back(stage);
    while (!ready.empty()) {
      const int stage = ready.back();
      ready.pop_back();
      go_on(stage, ready);
    }
    Time end;
    for (const auto& stage : stages_) {
      if (stage->awaits != nothing)
        throw StallError("the stages of the pipeline wait for one another; choose another schedule");
      end = std::max(end, stage->clock.now());
    }
    return end;
  }

 private:
  // Goes on until the stage has to wait for a message or has ended.
  void go_on(int number, std::vector<int>& ready) {
    Stage& stage = *stages_[static_cast<std::size_t>(number)];
    const int passes = 2 * shape_.micro_batches * shape_.virtual_stages;
    for (stage.awaits = nothing; stage.passes_done < passes; ++stage.passes_done) {
      const PipelineSlot slot = pipeline_slot(shape_, number, stage.passes_done);
      if (const auto message = stage.walk.awaited(slot)) {
        const std::size_t needed = arrivals_.number_of(*message);
        if (arrivals_[needed] == not_sent) {
          stage.awaits = needed;
          return;
        }
      }
      stage.walk.pass(slot);
      const std::size_t sent = stage.clock.sent();
      const auto receiver = static_cast<std::size_t>(stage.clock.receiver());
      if (sent != nothing && stages_[receiver]->awaits == sent) {
        stages_[receiver]->awaits = nothing;
        ready.push_back(stage.clock.receiver());
      }
    }
    stage.walk.update();
  }

  const PipelineShape shape_;
  Arrivals arrivals_;
  std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace

Time training_step_end(const TrainingSetup& setup, const StageCosts& costs) {
  return StepClock(setup, costs).end();
}

}  // namespace orrery::core
