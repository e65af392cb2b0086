#include "collective/tree_timeline.hpp"

#include <algorithm>
#include <utility>

#include "collective/handshake.hpp"

namespace orrery {

namespace {

class TreeRun {
 public:
  TreeRun(const PhaseShape& shape, int base, const TreeClasses& classes, const SystemConfig& system,
          const ContentionFreeNetwork& network, const Clock& clock)
      : shape_(shape),
        tree_(std::get<TreeSchedule>(shape.schedule)),
        base_(base),
        classes_(classes),
        system_(system),
        network_(network),
        clock_(clock),
        delay_(clock.span(system.endpoint_delay)),
        reduction_(clock.span(shape.reductions[0])),
        steps_(classes.classes().size()) {}

  // Ends by class.
  std::vector<Stamp> run() {
    for (std::size_t c = steps_.size(); c-- > 0;) gather(c);
    std::vector<Stamp> ends(steps_.size());
    for (std::size_t c = 0; c < ends.size(); ++c) ends[c] = spread(c);
    return ends;
  }

  // Returns what a position has received when run() is done.
  ReceiveStatistics received(std::uint32_t position) const {
    const TreeClasses::Class& one = classes_.classes()[classes_.of(position)];
    ReceiveStatistics received;
    for (const std::uint32_t child : {one.left, one.right}) {
      if (child == TreeClasses::none) continue;
      received.latency_sum += clock_.time(steps_[child].received_above);
      ++received.messages;
    }
    if (one.parent != TreeClasses::none) {
      const Step& step = steps_[classes_.of(position)];
      received.latency_sum += clock_.time(step.received) - clock_.time(step.gathered);
      ++received.messages;
    }
    return received;
  }

  // Adds what a position sends, by dimension of the topology.
  void add_payload(std::uint32_t position, std::vector<Bytes>& payload) const {
    const TreeSchedule::Node node = tree_.node(position);
    for (const std::int32_t neighbour : {node.parent, node.left, node.right}) {
      if (neighbour == TreeSchedule::none) continue;
      Bytes& sent = payload[static_cast<std::size_t>(
          network_.carrying_dimension(npu(static_cast<std::int32_t>(position)), npu(neighbour)))];
      sent += tree_.bytes;
      if (system_.rendezvous) sent += handshake_bytes;
    }
  }

 private:
  struct Step {
    Stamp gathered = 0;        // when it has all data of its subtree; it sends them up
    Stamp received_above = 0;  // when its parent has these
    Stamp received = 0;        // when it has the sum
    Stamp spread = 0;          // when it sends that down
  };

  int npu(std::int32_t position) const { return base_ + position * shape_.group.stride; }
  // When a message arrives that is ready at one time and awaited from another.
  Stamp arrival(std::int32_t from, std::int32_t to, Stamp ready, Stamp awaited) const {
    Stamp sent = ready;
    if (system_.rendezvous)
      sent = std::max(ready, clock_.add(awaited, network_.duration(npu(to), npu(from), handshake_bytes)));
    return std::max(awaited, clock_.add(sent, network_.duration(npu(from), npu(to), tree_.bytes)));
  }

  void gather(std::size_t c) {
    const TreeClasses::Class& one = classes_.classes()[c];
    const TreeSchedule::Node node = tree_.node(one.position);
    Step& step = steps_[c];
    step.gathered = delay_;  // of a leaf
    for (const std::uint32_t child : {one.left, one.right}) {
      if (child == TreeClasses::none) continue;
      const Stamp added = clock_.add(clock_.add(steps_[child].received_above, delay_), reduction_);
      step.gathered = std::max(step.gathered, added);
    }
    if (node.parent != TreeSchedule::none)
      step.received_above = arrival(static_cast<std::int32_t>(one.position), node.parent, step.gathered, 0);
  }

  Stamp spread(std::size_t c) {
    const TreeClasses::Class& one = classes_.classes()[c];
    Step& step = steps_[c];
    if (one.parent == TreeClasses::none) return step.spread = step.gathered;
    const TreeSchedule::Node node = tree_.node(one.position);
    step.received = arrival(node.parent, static_cast<std::int32_t>(one.position), steps_[one.parent].spread,
                            step.gathered);
    step.spread = clock_.add(step.received, delay_);
    if (one.left != TreeClasses::none) step.spread = clock_.add(step.spread, reduction_);
    return step.spread;
  }

  const PhaseShape& shape_;
  const TreeSchedule& tree_;
  int base_;
  const TreeClasses& classes_;
  const SystemConfig& system_;
  const ContentionFreeNetwork& network_;
  const Clock& clock_;
  Stamp delay_, reduction_;
  std::vector<Step> steps_;  // by class
};

}  // namespace

PhaseTimeline tree_timeline(const PhaseShape& shape, int base, std::shared_ptr<const TreeClasses> classes,
                            const SystemConfig& system, const ContentionFreeNetwork& network,
                            const Clock& clock, int topology_dimensions) {
  PhaseTimeline timeline;
  timeline.payload.resize(static_cast<std::size_t>(topology_dimensions));
  TreeRun run(shape, base, *classes, system, network, clock);
  timeline.ends = run.run();
  timeline.received = run.received(0);
  run.add_payload(0, timeline.payload);
  const auto links = static_cast<std::uint64_t>(shape.group.size - 1);
  timeline.messages = links * 2 * (system.rendezvous ? 2 : 1);
  timeline.classes = std::move(classes);
  return timeline;
}

}  // namespace orrery
