#include "collective/timelines/isolated_phase_simulator.hpp"

#include <algorithm>

#include "collective/messages/message_engine.hpp"
#include "events/rank_timers.hpp"
#include "network/analytical/analytical_network.hpp"
#include "network/network_models.hpp"

namespace orrery::core {

namespace {

// Notes the times at which the members end the phase.
class Ends final : public PhaseListener {
 public:
  Ends(const EventLoop& loop, std::size_t members) : at(members), loop_(loop) {}

  void phase_ended(ClassId member, std::uint32_t) override { at[member.index()] = loop_.now(); }

  std::vector<Stamp> at;  // by class

 private:
  const EventLoop& loop_;
};

}  // namespace

Topology topology_of_group(const Topology& topology, const LogicalDimension& group) {
  Topology alone;
  alone.dimensions = {topology.dimensions[static_cast<std::size_t>(group.physical)]};
  return alone;
}

std::vector<SlowLinks> IsolatedPhaseSimulator::slow_links_of(const LogicalDimension& group, int base) const {
  std::vector<SlowLinks> slow;
  for (const SlowLinks& links : machine_.network.slow_links) {
    if (links.dimension != group.physical) continue;
    SlowLinks& own = slow.emplace_back(SlowLinks{0, {}, links.slowdown});
    for (const int npu : links.npus)
      if (group.base(npu) == base) own.npus.push_back(group.position(npu));
    if (own.npus.empty()) slow.pop_back();
  }
  return slow;
}

IsolatedPhaseSimulator::Outcome IsolatedPhaseSimulator::run(const PhaseShape& shape, int base,
                                                            bool alike) const {
  const Topology topology = topology_of_group(machine_.topology, shape.group);
  NetworkSetup setup = machine_.network;
  setup.slow_links = slow_links_of(shape.group, base);
  PhaseShape own = shape;
  own.group = {1, shape.group.size, 0};
  const bool one_for_all = alike && setup.slow_links.empty() && !machine_.system.rendezvous;
  const auto members = static_cast<std::uint32_t>(shape.group.size);
  const RankClasses classes =
      one_for_all ? RankClasses::all_equal(members) : RankClasses::all_distinct(members);
  const RankParts parts(classes);
  const AnalyticalNetwork network(topology, machine_.dialect, setup.slow_links);
  EventLoop loop(network.clock());
  RankTimers timers(loop, static_cast<int>(classes.count()));
  const TransportMachine carrying{topology, machine_.dialect, setup};
  const std::unique_ptr<Transport> transport =
      one_for_all ? make_folded_transport(setup.model, routes_.at(shape.group), carrying, loop)
                  : make_transport(setup.model, carrying, loop);
  Ends ends(loop, classes.count());
  MessageEngine engine(loop, timers, machine_.system, machine_.dialect, network, parts, 1, ends,
                       members / classes.count(), transport.get());
  const PhaseEngine::RunId run = engine.open(0, own, 0, 0);
  for (const ClassId member : first_ids<ClassId>(classes.count())) engine.start(run, member, 0);
  loop.run({});
  Outcome outcome{std::move(ends.at), engine.take_receive_statistics(run).latency_sum};
  if (alike) outcome.ends.resize(1);
  return outcome;
}

}  // namespace orrery::core
