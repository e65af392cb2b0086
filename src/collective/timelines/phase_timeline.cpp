#include "collective/timelines/phase_timeline.hpp"

#include <algorithm>

#include "collective/phase/handshake.hpp"
#include "collective/phase/sent_messages.hpp"
#include "collective/timelines/phase_timing.hpp"

namespace orrery::core {

PhaseTimelines::PhaseTimelines(const SystemConfig& system, const Dialect& dialect,
                               const ContentionFreeNetwork& network, const Clock& clock,
                               int topology_dimensions, const IsolatedPhaseSimulator* trials)
    : system_(system),
      dialect_(dialect),
      network_(network),
      clock_(clock),
      topology_dimensions_(topology_dimensions),
      trials_(trials) {}

const GroupKinds& PhaseTimelines::kinds_of(const LogicalDimension& group) {
  const auto found = kinds_.find(group);
  if (found != kinds_.end()) return found->second;
  return kinds_.emplace(group, network_.kinds_of_groups(group)).first->second;
}

const PhaseTimeline& PhaseTimelines::of(const PhaseShape& shape, int npu) {
  const GroupKinds& kinds = kinds_of(shape.group);
  const std::uint32_t kind = kinds.of(npu);
  const auto found = timelines_.find({&shape, kind});
  if (found != timelines_.end()) return found->second;
  return timelines_.emplace(std::pair(&shape, kind), of_kind(shape, kinds, kind)).first->second;
}

PhaseTimeline PhaseTimelines::of_kind(const PhaseShape& shape, const GroupKinds& kinds, std::uint32_t kind) {
  const int base = kinds.base(kind);
  const bool alike = std::holds_alternative<ExchangeSchedule>(shape.schedule) && kinds.even(kind) &&
                     network_.is_uniform(shape.group);
  PhaseTimeline timeline;
  if (trials_) {
    IsolatedPhaseSimulator::Outcome outcome = trials_->run(shape, base, alike);
    timeline.ends = std::move(outcome.ends);
    timeline.received.latency_sum = outcome.latency_sum;
  } else {
    follow_course(shape, kinds, kind, alike, timeline);
  }
  timeline.latest = std::ranges::max(timeline.ends);
  count_messages(shape, base, timeline);
  return timeline;
}

void PhaseTimelines::follow_course(const PhaseShape& shape, const GroupKinds& kinds, std::uint32_t kind,
                                   bool alike, PhaseTimeline& timeline) {
  const int base = kinds.base(kind);
  const auto npu = [&](std::uint32_t position) {
    return base + static_cast<int>(position) * shape.group.stride;
  };
  GroupPhase phase{shape.schedule, shape.reductions, static_cast<std::uint32_t>(shape.group.size),
                   clock_.span(system_.endpoint_delay), system_.rendezvous};
  phase.gate_counts_whole_instant = dialect_.gate_counts_whole_instant;
  phase.root = shape.root;
  phase.alike = alike;
  if (std::holds_alternative<TreeSchedule>(shape.schedule)) phase.classes = tree_classes(shape, kinds, kind);
  const PhaseTiming timing(phase, [&](const PhaseTiming::End& from, const PhaseTiming::End& to, Bytes bytes) {
    return network_.duration(shape.device(npu(from.position), from.at), shape.device(npu(to.position), to.at),
                             bytes);
  });
  timeline.ends.resize(timing.followed);
  const CourseOutcome outcome = timing.run(std::vector<Stamp>(timing.followed), timeline.ends);
  timeline.classes = phase.classes;
  timeline.received.latency_sum = outcome.latency_sum;
  timeline.depends_on_order = outcome.depends_on_order;
  if (alike) timeline.last = timing.last_message(timeline.ends[0]);
}

void PhaseTimelines::count_messages(const PhaseShape& shape, int base, PhaseTimeline& timeline) const {
  timeline.payload.resize(static_cast<std::size_t>(topology_dimensions_));
  const auto payload_to = [&](std::uint32_t position) -> Bytes& {
    const int peer = base + static_cast<int>(position) * shape.group.stride;
    return timeline.payload[static_cast<std::size_t>(network_.carrying_dimension(base, peer))];
  };
  const auto members = static_cast<std::uint32_t>(shape.group.size);
  if (const auto* programs = std::get_if<ProgramSchedule>(&shape.schedule)) {
    const std::uint32_t from_root = programs->from_root(0, shape.root);
    for (const MemberProgram::Step& step : programs->program_of(from_root).steps) {
      const std::uint32_t peer = programs->in_group(programs->peer_of(from_root, step), shape.root);
      if (step.at != MemberProgram::npu) continue;
      if (step.kind == MemberProgram::Kind::send)
        payload_to(step.peer_at == MemberProgram::npu ? peer : members - 1) += step.bytes;
      if (step.kind != MemberProgram::Kind::receive) continue;
      if (system_.rendezvous) payload_to(peer) += handshake_bytes;
      ++timeline.received.messages;
    }
    timeline.messages = programs->sends() * (system_.rendezvous ? 2 : 1);
    return;
  }
  visit_messages(shape.schedule, members, 0,
                 [&](std::uint32_t to, std::uint32_t from, Bytes bytes, std::uint64_t messages) {
                   payload_to(to) += bytes * messages;
                   if (system_.rendezvous) payload_to(from) += handshake_bytes * messages;
                   timeline.received.messages += messages;
                 });
  const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule);
  timeline.messages = exchange ? exchange->messages * members : 2 * (members - std::uint64_t{1});
  if (system_.rendezvous) timeline.messages *= 2;
}

std::shared_ptr<const TreeClasses> PhaseTimelines::tree_classes(const PhaseShape& shape,
                                                                const GroupKinds& kinds, std::uint32_t kind) {
  const auto& tree = std::get<TreeSchedule>(shape.schedule);
  auto& classes = trees_[{shape.group, kind, tree.odd}];
  if (!classes) classes = std::make_shared<const TreeClasses>(tree, shape.group, kinds.base(kind), network_);
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

std::optional<LastMessage> PhaseTimelines::last_of_all_groups(const PhaseShape& shape) {
  const GroupKinds& kinds = kinds_of(shape.group);
  const std::optional<LastMessage> last = of(shape, kinds.base(0)).last;
  for (std::uint32_t kind = 1; kind < kinds.count(); ++kind)
    if (of(shape, kinds.base(kind)).last != last) return std::nullopt;
  return last;
}

bool PhaseTimelines::depends_on_order(const PhaseShape& shape) {
  const GroupKinds& kinds = kinds_of(shape.group);
  for (std::uint32_t kind = 0; kind < kinds.count(); ++kind)
    if (of(shape, kinds.base(kind)).depends_on_order) return true;
  return false;
}

}  // namespace orrery::core
