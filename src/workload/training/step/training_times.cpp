#include "workload/training/step/training_times.hpp"

#include "workload/training/stages/stage_walk.hpp"

namespace orrery::core {

namespace {

// Notes the times of a stage.
class TimesOfStage {
 public:
  TimesOfStage(const StageCosts& costs, std::size_t stage, std::vector<Seconds>& times)
      : costs_(costs), stage_(stage), times_(times) {}

  void pass(const PassPart& part) {
    note(part.duration, part.communication, part.contention.longer, part.contention.within);
    times_.push_back(Seconds(part.contention.slows_by_ppm * 1e-6));  // collectives beside it take longer
    for (const Time exposed : part.exposed) note(exposed);
  }
  void update(int, Time optimizer, Time shared_embedding) { note(optimizer, shared_embedding); }
  void receive(const StageMessage&) {}
  void send(const StageMessage& message, bool) {
    note(costs_.message_time(stage_, static_cast<std::size_t>(message.peer)));
  }
  void exchange(int, const ParameterExchange& exchange) { note(exchange.alone()); }
  void wait_for_all() {}
  void gather(int, const ParameterExchange& exchange, Time hidden) { note(exchange.alone(), hidden); }
  void end() {}

 private:
  template <class... Times>
  void note(Times... times) {
    (times_.push_back(Seconds::of(times)), ...);
  }

  const StageCosts& costs_;
  const std::size_t stage_;
  std::vector<Seconds>& times_;
};

}  // namespace

std::vector<Seconds> times_of_training(const TrainingSetup& setup) {
  std::vector<Seconds> times;
  TrainingSetup noting = setup;
  noting.exchange_time = [&](const Exchange& exchange) {
    times.push_back(exchange_time_of(setup)(exchange));
    return times.back();
  };
  const StageCosts costs(noting);
  const PipelineShape shape = setup.pipeline();
  for (int stage = 0; stage < shape.stages; ++stage) {
    TimesOfStage listener(costs, static_cast<std::size_t>(stage), times);
    StageWalk<TimesOfStage> walk(noting, costs, stage, listener);
    for (int chunk = 0; chunk < shape.virtual_stages; ++chunk)
      for (const bool backward : {false, true})
        if (!backward || !setup.plan.forward_only)
          walk.pass({backward, shape.last_backward_micro_batch(), chunk});
    walk.update();
  }
  return times;
}

}  // namespace orrery::core
