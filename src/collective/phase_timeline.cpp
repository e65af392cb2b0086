#include "collective/phase_timeline.hpp"

#include <algorithm>

#include "collective/group_timeline.hpp"
#include "collective/handshake.hpp"
#include "collective/lone_member.hpp"
#include "collective/tree_timeline.hpp"

namespace orrery {

PhaseTimelines::PhaseTimelines(const SystemConfig& system, const Dialect& dialect,
                               const ContentionFreeNetwork& network, const Clock& clock,
                               int topology_dimensions)
    : system_(system),
      dialect_(dialect),
      network_(network),
      clock_(clock),
      topology_dimensions_(topology_dimensions) {}

const GroupKinds& PhaseTimelines::kinds_of(const LogicalDimension& group) {
  const auto found = kinds_.find({group.stride, group.size, group.physical});
  if (found != kinds_.end()) return found->second;
  return kinds_.emplace(std::tuple(group.stride, group.size, group.physical), network_.kinds_of_groups(group))
      .first->second;
}

const PhaseTimeline& PhaseTimelines::of(const PhaseShape& shape, int npu) {
  const GroupKinds& kinds = kinds_of(shape.group);
  const std::uint32_t kind = kinds.of(npu);
  const auto found = timelines_.find({&shape, kind});
  if (found != timelines_.end()) return found->second;
  PhaseTimeline timeline = of_kind(shape, kinds, kind);
  timeline.latest = *std::max_element(timeline.ends.begin(), timeline.ends.end());
  return timelines_.emplace(std::pair(&shape, kind), std::move(timeline)).first->second;
}

PhaseTimeline PhaseTimelines::of_kind(const PhaseShape& shape, const GroupKinds& kinds, std::uint32_t kind) {
  const int base = kinds.base(kind);
  if (std::holds_alternative<TreeSchedule>(shape.schedule)) {
    return tree_timeline(shape, base, tree_classes(shape, kinds, kind), system_, network_, clock_,
                         topology_dimensions_);
  }
  if (kinds.even(kind) && network_.is_uniform(shape.group)) return of_alike_members(shape, base);
  return group_timeline(shape, base, system_, dialect_, network_, clock_, topology_dimensions_);
}

std::shared_ptr<const TreeClasses> PhaseTimelines::tree_classes(const PhaseShape& shape,
                                                                const GroupKinds& kinds, std::uint32_t kind) {
  const auto& tree = std::get<TreeSchedule>(shape.schedule);
  const LogicalDimension& group = shape.group;
  auto& classes = trees_[{group.stride, group.size, group.physical, kind, tree.odd}];
  if (!classes) classes = std::make_shared<const TreeClasses>(tree, group, kinds.base(kind), network_);
  return classes;
}

Stamp PhaseTimelines::latest_of_all_groups(const PhaseShape& shape) {
  const auto found = latest_.find(&shape);
  if (found != latest_.end()) return found->second;
  const GroupKinds& kinds = kinds_of(shape.group);
  Stamp latest = 0;
  for (std::uint32_t kind = 0; kind < kinds.count(); ++kind)
    latest = std::max(latest, of(shape, kinds.base(kind)).latest);
  return latest_[&shape] = latest;
}

PhaseTimeline PhaseTimelines::of_alike_members(const PhaseShape& shape, int base) const {
  const auto& schedule = std::get<ExchangeSchedule>(shape.schedule);
  StepTimes times;
  PhaseTimeline timeline;
  timeline.payload.resize(static_cast<std::size_t>(topology_dimensions_));
  for (const auto& step : schedule.steps) {
    const auto n = static_cast<std::uint32_t>(shape.group.size);
    // The last step of halving and doubling only ends it.
    const int peer = base + (step.amount < n ? static_cast<int>(step.amount) * shape.group.stride : 0);
    times.message.push_back(network_.duration(base, peer, step.bytes));
    times.handshake.push_back(system_.rendezvous ? network_.duration(peer, base, handshake_bytes) : Stamp());
    times.bytes.push_back(step.bytes);
  }
  Bytes& payload = timeline.payload[shape.group.physical];
  const std::uint64_t rounds = schedule.messages / times.bytes.size();
  for (std::size_t i = 0; i < times.bytes.size(); ++i)
    payload += times.bytes[i] * (rounds + (i < schedule.messages % times.bytes.size()));
  if (system_.rendezvous) payload += handshake_bytes * schedule.messages;
  timeline.messages =
      schedule.messages * static_cast<std::uint64_t>(shape.group.size) * (system_.rendezvous ? 2 : 1);
  follow_lone_member(shape, times, system_, dialect_, clock_, timeline);
  return timeline;
}

}  // namespace orrery
