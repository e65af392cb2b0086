#include "collective/group_timeline.hpp"

#include <algorithm>
#include <span>

#include "collective/message_engine.hpp"

namespace orrery {

namespace {

// A group as a machine of its own: member y is NPU y.
class GroupNetwork final : public ContentionFreeNetwork {
 public:
  GroupNetwork(const ContentionFreeNetwork& network, int base, int stride)
      : network_(network), base_(base), stride_(stride) {}

  Stamp duration(int source, int destination, Bytes bytes) const override {
    return network_.duration(npu(source), npu(destination), bytes);
  }
  Way way(int source, int destination) const override { return network_.way(npu(source), npu(destination)); }
  int carrying_dimension(int source, int destination) const override {
    return network_.carrying_dimension(npu(source), npu(destination));
  }
  bool is_uniform(const LogicalDimension&) const override { return false; }
  bool has_slow_links(const LogicalDimension&) const override { return false; }
  GroupKinds kinds_of_groups(const LogicalDimension&) const override { return GroupKinds(false); }

 private:
  int npu(int member) const { return base_ + member * stride_; }

  const ContentionFreeNetwork& network_;
  int base_, stride_;
};

class EndCollector final : public PhaseListener {
 public:
  EndCollector(const EventLoop& loop, int members) : loop_(loop), ends_(static_cast<std::size_t>(members)) {}
  void phase_ended(std::uint32_t rank, std::uint32_t) override { ends_[rank] = loop_.now(); }
  std::vector<Stamp> take() { return std::move(ends_); }

 private:
  const EventLoop& loop_;
  std::vector<Stamp> ends_;
};

// An exchange of one message at a time without handshakes. A message arrives when it has come and its
// receiver awaits it, which is when that has sent its own; so the times of each round follow from those of
// the last.
class ExchangeRounds {
 public:
  ExchangeRounds(const PhaseShape& shape, int base, const SystemConfig& system,
                 const ContentionFreeNetwork& network, const Clock& clock)
      : shape_(shape),
        schedule_(std::get<ExchangeSchedule>(shape.schedule)),
        base_(base),
        network_(network),
        clock_(clock),
        delay_(clock.span(system.endpoint_delay)),
        members_(static_cast<std::uint32_t>(shape.group.size)) {
    for (std::size_t i = 0; i < std::min<std::uint64_t>(schedule_.steps.size(), schedule_.messages); ++i)
      durations_.push_back(durations_of(schedule_.steps[i]));
  }

  void run(PhaseTimeline& timeline) {
    std::vector<Stamp> ready(members_, preparation(0)), arrived(members_);
    for (std::uint64_t k = 0; k < schedule_.messages; ++k) {
      const auto& step = schedule_.steps[k % schedule_.steps.size()];
      const std::vector<Stamp>& durations = durations_[k % schedule_.steps.size()];
      const Stamp prepared = preparation(k + 1);
      const auto receive = [&](std::uint32_t x, std::uint32_t source) {
        arrived[x] = clock_.add(ready[source], durations[x]);
      };
      if (schedule_.peer == ExchangeSchedule::Peer::exclusive_or) {
        for (std::uint32_t x = 0; x < members_; ++x) receive(x, x ^ step.amount);
      } else {
        for (std::uint32_t x = 0; x < step.amount; ++x) receive(x, x + members_ - step.amount);
        for (std::uint32_t x = step.amount; x < members_; ++x) receive(x, x - step.amount);
      }
      const Stamp posted = ready[0];
      for (std::uint32_t x = 0; x < members_; ++x) ready[x] = std::max(ready[x], arrived[x]);
      timeline.received.latency_sum += clock_.time(ready[0]) - clock_.time(posted);
      for (std::uint32_t x = 0; x < members_; ++x) ready[x] = clock_.add(ready[x], prepared);
    }
    timeline.received.messages = schedule_.messages;
    timeline.messages = schedule_.messages * members_;
    timeline.ends = std::move(ready);
    add_payload(timeline.payload);
  }

 private:
  Stamp preparation(std::uint64_t k) const {
    return shape_.reduces(schedule_, k) ? clock_.add(delay_, clock_.span(shape_.reduction(k))) : delay_;
  }
  int npu(std::uint32_t position) const { return base_ + static_cast<int>(position) * shape_.group.stride; }
  std::uint32_t peer(std::uint32_t x, std::uint32_t amount) const {
    return ExchangeSchedule::receiver(schedule_.peer, x, amount, members_);
  }

  // Returns how long the message of this step takes, by the member that receives it.
  std::vector<Stamp> durations_of(const ExchangeSchedule::Step& step) const {
    std::vector<Stamp> durations(members_);
    for (std::uint32_t x = 0; x < members_; ++x) {
      const std::uint32_t to = peer(x, step.amount);
      durations[to] = network_.duration(npu(x), npu(to), step.bytes);
    }
    return durations;
  }

  // Adds the bytes that position 0 sends, by dimension of the topology.
  void add_payload(std::vector<Bytes>& payload) const {
    for (std::uint64_t i = 0; i < durations_.size(); ++i) {
      const auto& step = schedule_.steps[i];
      const std::uint64_t times =
          (schedule_.messages - i + schedule_.steps.size() - 1) / schedule_.steps.size();
      const int dimension = network_.carrying_dimension(npu(0), npu(peer(0, step.amount)));
      payload[static_cast<std::size_t>(dimension)] += step.bytes * times;
    }
  }

  const PhaseShape& shape_;
  const ExchangeSchedule& schedule_;
  int base_;
  const ContentionFreeNetwork& network_;
  const Clock& clock_;
  Stamp delay_;
  std::uint32_t members_;
  std::vector<std::vector<Stamp>> durations_;  // by step and receiver
};

}  // namespace

PhaseTimeline group_timeline(const PhaseShape& shape, int base, const SystemConfig& system,
                             const Dialect& dialect, const ContentionFreeNetwork& network, const Clock& clock,
                             int topology_dimensions) {
  const auto& exchange = std::get<ExchangeSchedule>(shape.schedule);
  if (exchange.in_flight > 1 || exchange.gate > 0 || system.rendezvous)
    return simulated_group_timeline(shape, base, system, dialect, network, clock, topology_dimensions);
  PhaseTimeline timeline;
  timeline.payload.resize(static_cast<std::size_t>(topology_dimensions));
  ExchangeRounds(shape, base, system, network, clock).run(timeline);
  return timeline;
}

PhaseTimeline simulated_group_timeline(const PhaseShape& shape, int base, const SystemConfig& system,
                                       const Dialect& dialect, const ContentionFreeNetwork& network,
                                       const Clock& clock, int topology_dimensions) {
  const int members = shape.group.size;
  const GroupNetwork alone_network(network, base, shape.group.stride);
  EventLoop loop(clock);
  RankTimers timers(loop, members);
  EndCollector ends(loop, members);
  const RankParts parts(RankClasses::all_distinct(static_cast<std::uint32_t>(members)));
  MessageEngine engine(loop, timers, system, dialect, alone_network, parts, topology_dimensions, ends);
  PhaseShape alone = shape;
  alone.group = {1, members, -1};
  alone.durations.clear();
  const PhaseEngine::RunId run = engine.open(0, alone, 0);
  for (int y = 0; y < members; ++y) engine.start(run, static_cast<std::uint32_t>(y), 0);
  loop.run({});
  PhaseTimeline timeline;
  timeline.ends = ends.take();
  timeline.received = engine.take_receive_statistics(run);
  timeline.payload = engine.payload(0);
  timeline.messages = engine.messages();
  const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule);
  timeline.depends_on_order = exchange && exchange->gate > 0 && !dialect.gate_counts_whole_instant;
  return timeline;
}

}  // namespace orrery
