// Runs phases by their timelines: a few events per phase and class of ranks, however many messages the phase
// has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/containers/numbered.hpp"
#include "base/units/rank_id.hpp"
#include "collective/timelines/phase_timeline.hpp"
#include "events/event_loop.hpp"
#include "topology/rank_classes.hpp"

namespace orrery::core {

class TimelineEngine final : public PhaseEngine, public EventHandler {
 public:
  // Keeps references. All members of a group have to start a phase in the same instant; with a barrier over
  // the machine, all ranks have to. With `strict`, it throws AmbiguousEventOrder when a timeline depends on
  // the order within an instant; otherwise the order is that of a group with a machine of its own. `trials`
  // say how long a phase takes whose messages may meet; null: the network has no contention.
  TimelineEngine(EventLoop& loop, const SystemConfig& system, const Dialect& dialect,
                 const ContentionFreeNetwork& network, const RankClasses& classes, const RankParts& parts,
                 int topology_dimensions, bool strict, PhaseListener& listener,
                 const IsolatedPhaseSimulator* trials = nullptr);

  RunId open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part, std::uint32_t absent) override;
  void start(RunId run, ClassId of_class, Stamp earliest_end) override;
  bool start_together(RunId run, std::span<const ClassId> classes, Stamp earliest_end) override;
  ReceiveStatistics take_receive_statistics(RunId run) override;
  const std::vector<Bytes>& payload(std::uint32_t part) const override { return payload_[part]; }
  std::uint64_t messages() const override { return messages_; }

  std::string waiting(RunId, ClassId) const override { return "has not ended it"; }

  void handle(const Event& event) override;

  PhaseTimelines& timelines() { return timelines_; }

 private:
  enum What : std::uint16_t { last_sent, last_registered, ended, all_ended };
  struct Run {
    std::uint32_t chunk;
    const PhaseShape* shape;
    std::uint32_t part;
    std::uint32_t members;  // number of classes that take part
    std::uint32_t ended;
    bool statistics_taken;
    std::optional<LastMessage> last;  // whose route is followed
  };
  void start_with_machine(RunId run, ClassId of_class);
  void follow_last_message(const Event& event);
  void release_if_done(RunId run);
  const PhaseTimeline& timeline_of_recorded(const PhaseShape& shape, std::uint32_t part);
  Event event(What what, RunId run, ClassId of_class) const {
    return Event{handler_, what, of_class.value(), run, 0};
  }

  EventLoop& loop_;
  const Stamp endpoint_delay_;
  bool machine_barrier_;
  bool strict_;
  const RankClasses& classes_;
  const RankParts& parts_;
  PhaseListener& listener_;
  std::uint16_t handler_;
  PhaseTimelines timelines_;
  Numbered<Run> runs_;
  Numbered<std::span<const ClassId>> groups_;  // groups that were started together and are under way
  std::vector<std::vector<Bytes>> payload_;    // by part
  std::uint64_t messages_ = 0;
};

}  // namespace orrery::core
