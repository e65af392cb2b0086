#include "collective/messages/phase_runs.hpp"

namespace orrery::core {

PhaseRuns::PhaseRuns(EventLoop& loop, const RankParts& parts, PhaseListener& listener)
    : loop_(loop), parts_(parts), listener_(listener), handler_(loop.add_handler(*this)) {
  for (std::uint32_t part = 0; part < parts.count(); ++part) ranks_ += parts[part].simulated;
}

PhaseRuns::RunId PhaseRuns::open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part,
                                 std::uint32_t absent) {
  RunId id;
  if (free_.empty()) {
    id = static_cast<RunId>(runs_.size());
    runs_.push_back(std::make_unique<PhaseRun>());
  } else {
    id = free_.top();
    free_.pop();
  }
  PhaseRun& run = *runs_[id];
  run.chunk = chunk;
  run.part = part;
  run.recorded = simulated_of(parts_[part].recorded);
  run.taking_part = members_of(shape, parts_, part, ranks_, simulated_of, absent);
  run.ended = 0;
  run.shape = &shape;
  run.earliest_ends.assign(ranks_, 0);
  run.statistics = {};
  run.statistics_taken = !shape.takes_part(npu_of(run.recorded));
  return id;
}

void PhaseRuns::ended(RunId id, RankId rank) {
  PhaseRun& run = *runs_[id];
  if (loop_.now() < run.earliest_ends[rank.index()]) {
    loop_.at(run.earliest_ends[rank.index()], Event{handler_, 0, rank.value(), id, 0});
    return;
  }
  const std::uint32_t chunk = run.chunk;
  if (++run.ended == run.taking_part && run.statistics_taken) free_.push(id);
  listener_.phase_ended(class_of_simulated(rank), chunk);
}

ReceiveStatistics PhaseRuns::take_receive_statistics(RunId id) {
  PhaseRun& run = *runs_[id];
  run.statistics_taken = true;
  if (run.ended == run.taking_part) free_.push(id);
  return run.statistics;
}

}  // namespace orrery::core
