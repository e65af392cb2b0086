// Computes how a phase runs on one group without simulating the machine. The members start together, and the
// network has no contention, or only contention among the group's own messages. So nothing outside the group
// matters.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/dialect.hpp"
#include "collective/algorithms/tree_classes.hpp"
#include "collective/phase/phase_engine.hpp"
#include "collective/plan/system_config.hpp"
#include "collective/timelines/isolated_phase_simulator.hpp"
#include "collective/timelines/phase_timing.hpp"
#include "network/contention_free_network.hpp"

namespace orrery::core {

// Stamps are spans from the phase's start.
struct PhaseTimeline {
  std::vector<Stamp> ends;  // by position or its class; a single entry when all members end together
  std::shared_ptr<const TreeClasses> classes;  // classes of positions; null: each position is its own
  Stamp latest = 0;                            // latest of `ends`
  ReceiveStatistics received;                  // by position 0
  std::vector<Bytes> payload;                  // sent by position 0, by dimension of the topology
  std::uint64_t messages = 0;                  // sent by all members, handshakes included
  bool depends_on_order = false;               // see CourseOutcome
  std::optional<LastMessage> last;             // of every member, where all do the same

  Stamp end_of(int position) const {
    if (ends.size() == 1) return ends[0];
    const auto place = static_cast<std::uint32_t>(position);
    return ends[classes ? classes->of(place) : place];
  }
};

// Works out timelines once per shape and kind of group. They are for clocks that count picoseconds and
// systems without a shared bus.
class PhaseTimelines {
 public:
  // Keeps references. `trials` say what phases take where their own messages may meet; null: no messages
  // meet.
  PhaseTimelines(const SystemConfig& system, const Dialect& dialect, const ContentionFreeNetwork& network,
                 const Clock& clock, int topology_dimensions, const IsolatedPhaseSimulator* trials = nullptr);

  // Returns the timeline of the phase on the group of `npu`.
  const PhaseTimeline& of(const PhaseShape& shape, int npu);
  // Returns when the last of all groups has ended.
  Stamp latest_of_all_groups(const PhaseShape& shape);
  // Returns the last message of every member of all groups, where all do the same.
  std::optional<LastMessage> last_of_all_groups(const PhaseShape& shape);
  // Returns whether the timeline of any group depends on the order within an instant.
  bool depends_on_order(const PhaseShape& shape);

 private:
  const GroupKinds& kinds_of(const LogicalDimension& group);
  PhaseTimeline of_kind(const PhaseShape& shape, const GroupKinds& kinds, std::uint32_t kind);
  void follow_course(const PhaseShape& shape, const GroupKinds& kinds, std::uint32_t kind, bool alike,
                     PhaseTimeline& timeline);
  void count_messages(const PhaseShape& shape, int base, PhaseTimeline& timeline) const;
  std::shared_ptr<const TreeClasses> tree_classes(const PhaseShape& shape, const GroupKinds& kinds,
                                                  std::uint32_t kind);

  const SystemConfig& system_;
  const Dialect& dialect_;
  const ContentionFreeNetwork& network_;
  const Clock& clock_;
  int topology_dimensions_;
  const IsolatedPhaseSimulator* trials_;
  std::map<LogicalDimension, GroupKinds> kinds_;
  std::map<std::pair<const PhaseShape*, std::uint32_t>, PhaseTimeline> timelines_;  // by kind of group
  // Classes of trees by dimension, kind of group and tree.
  std::map<std::tuple<LogicalDimension, std::uint32_t, bool>, std::shared_ptr<const TreeClasses>> trees_;
  std::map<const PhaseShape*, Stamp> latest_;
};

}  // namespace orrery::core
