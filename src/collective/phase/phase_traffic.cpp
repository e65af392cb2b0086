#include "collective/phase/phase_traffic.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "collective/phase/handshake.hpp"
#include "network/link/link_loads.hpp"
#include "network/link/link_map.hpp"
#include "network/link/link_sets.hpp"
#include "network/link/link_speeds.hpp"

namespace orrery::core {

namespace {

using Peer = ExchangeSchedule::Peer;

int peer_of(int position, Peer peer, int amount, int size) {
  return peer == Peer::exclusive_or ? position ^ amount : (position + amount) % size;
}

// Returns the load of a message between two nodes of a tree and of its handshake.
LinkLoad tree_message_load(const TreeSchedule& tree, bool rendezvous) {
  LinkLoad load{tree.bytes, 1};
  if (rendezvous) load += {handshake_bytes, 1};
  return load;
}

// The links of one dimension, by position. All groups of the dimension are alike.
class DimensionTraffic {
 public:
  DimensionTraffic(const Topology& topology, std::size_t dimension, bool ring_ways_apart)
      : alone_{{topology.dimensions[dimension]}}, map_(alone_, ring_ways_apart), size_(alone_.npus()) {
    of_each_.resize(map_.block(0) == Block::fully_connected ? static_cast<std::size_t>(size_) : 2);
  }

  // Every member of every group sends to the peer. Members of a group stand `step` positions apart.
  void add_exchange(int members, int step, Peer peer, int amount, const LinkLoad& load) {
    const bool whole = members == size_ && peer == Peer::shift;
    if (map_.block(0) == Block::switched) {
      of_each_[0] += load;
      of_each_[1] += load;
    } else if (whole && map_.block(0) == Block::fully_connected) {
      of_each_[static_cast<std::size_t>(amount)] += load;
    } else if (whole) {
      const HopCursor cursor = map_.cursor(0, amount);
      const auto hops = static_cast<std::uint64_t>(alone_.dimensions[0].hops(0, amount));
      of_each_[map_.links_per_npu(0) == 1 ? 0 : cursor.second] += load * hops;
    } else {
      for (int position = 0; position < size_; ++position) {
        const int member = position / step % members;
        add(position, position + (peer_of(member, peer, amount, members) - member) * step, load);
      }
    }
  }

  void add(int position, int peer, const LinkLoad& load) {
    if (!differing_) differing_.emplace(map_);
    differing_->add(position, peer, load);
  }

  void settle() {
    if (differing_) differing_->settle();
  }
  // Returns whether equal links of all positions have carried equally much.
  bool even() const { return !differing_; }
  LinkLoad of(int position, Link which) const {
    LinkLoad load = of_each_[kind_of(position, which)];
    if (differing_) load += differing_->of(map_.link(0, position, which));
    return load;
  }

 private:
  // Where all members are connected with each other, links are of one kind if they lead equally far around.
  std::size_t kind_of(int position, Link which) const {
    if (map_.block(0) != Block::fully_connected) return which;
    const int peer = map_.npus(map_.link(0, position, which)).peer;
    return static_cast<std::size_t>((peer - position + size_) % size_);
  }

  Topology alone_;
  LinkMap map_;
  int size_;
  std::vector<LinkLoad> of_each_;  // at every position, by kind
  std::optional<LinkLoads> differing_;
};

class MachineTraffic {
 public:
  // Keeps references to the arguments. The map and the speeds are those of the machine.
  MachineTraffic(const TrafficMachine& machine, const LinkMap& map, const LinkSpeeds& speeds)
      : machine_(machine), map_(map), speeds_(speeds), npus_(machine.topology.npus()) {
    for (std::size_t d = 0; d < machine.topology.dimensions.size(); ++d)
      dimensions_.emplace_back(machine.topology, d, machine.dialect.one_link_per_message);
  }

  void add(const PhaseShape& shape, std::uint64_t times) {
    if (const auto* tree = std::get_if<TreeSchedule>(&shape.schedule))
      add_tree(shape.group, *tree, tree_message_load(*tree, machine_.rendezvous) * times);
    else if (const auto* program = std::get_if<ProgramSchedule>(&shape.schedule))
      add_program(shape, *program, times);
    else
      add_exchange(shape.group, std::get<ExchangeSchedule>(shape.schedule), times);
  }

  // The load goes up and down between each node and its parent.
  void add_tree(const LogicalDimension& group, const TreeSchedule& tree, const LinkLoad& load) {
    trees_[{group.stride, group.size, group.physical, tree.odd}] += load;
  }

  // Some groups may do this alone, so links are counted one by one.
  void add_program(const PhaseShape& shape, const ProgramSchedule& schedule, std::uint64_t times) {
    const LogicalDimension& group = shape.group;
    for (int base = 0; base < npus_; ++base) {
      if (group.position(base) != 0 || !shape.takes_part(base)) continue;
      const auto npu = [&](std::uint32_t from_root) {
        return base + static_cast<int>(schedule.in_group(from_root, shape.root)) * group.stride;
      };
      for (std::uint32_t position = 0; position < schedule.size(); ++position) {
        for (const MemberProgram::Step& step : schedule.program_of(position).steps) {
          if (step.kind != MemberProgram::Kind::send) continue;
          const int from = shape.device(npu(position), step.at);
          const int to = shape.device(npu(schedule.peer_of(position, step)), step.peer_at);
          across().add(from, to, LinkLoad{step.bytes, 1} * times);
          if (machine_.rendezvous) across().add(to, from, LinkLoad{handshake_bytes, 1} * times);
        }
      }
    }
  }

  // This has to be called once, after everything has been added and before the functions below.
  void settle() {
    for (const auto& [flow, load] : flows_) expand(flow, load);
    for (const auto& [tree, load] : trees_) {
      const auto [stride, size, physical, odd] = tree;
      expand_tree({stride, size, physical}, {static_cast<std::uint32_t>(size), odd, {}}, load);
    }
    if (across_) across_->settle();
    for (DimensionTraffic& dimension : dimensions_) dimension.settle();
  }

  std::vector<LinkUse> links() const {
    LinkSets sets(map_);
    for (std::size_t d = 0; d < map_.dimensions(); ++d) {
      if (map_.links_per_npu(d) == 0) continue;
      if (across_ || speeds_.any_slow(d) || (!dimensions_[d].even() && LinkSets::lists_each(map_)))
        collect_each(d, sets);
      else
        collect_by_position(d, sets);
    }
    return sets.busiest_first();
  }

  // Returns, for each dimension that the groups' links may lie in, the bytes of the link that has carried
  // most.
  std::vector<std::uint64_t> max_bytes(const LogicalDimension& group) const {
    std::vector<std::uint64_t> most(map_.dimensions());
    for (std::size_t d = 0; d < most.size(); ++d) {
      if (group.physical >= 0 && group.physical != static_cast<int>(d)) continue;
      const LogicalDimension& all = map_.groups(d);
      const int count = group.physical < 0 ? npus_ : dimensions_[d].even() ? 1 : all.size;
      for (int i = 0; i < count; ++i) {
        const int npu = group.physical < 0 ? i : i * all.stride;
        for (Link which = 0; which < map_.links_per_npu(d); ++which)
          most[d] = std::max(most[d], load_of(d, map_.link(d, npu, which), npu, which).bytes.count());
      }
    }
    return most;
  }

  // Returns how long the busiest link that the group of `base` uses is kept busy.
  Time busiest(const LogicalDimension& group, int base) const {
    Time busy;
    const auto look_at = [&](std::size_t d, int npu) {
      for (Link which = 0; which < map_.links_per_npu(d); ++which)
        busy = std::max(busy, busy_of(d, map_.link(d, npu, which), npu, which));
    };
    if (group.physical < 0) {
      for (std::size_t d = 0; d < map_.dimensions(); ++d)
        for (int npu = 0; npu < npus_; ++npu) look_at(d, npu);
      return busy;
    }
    const auto d = static_cast<std::size_t>(group.physical);
    const LogicalDimension& all = map_.groups(d);
    if (!speeds_.any_slow(d)) {
      const int positions = dimensions_[d].even() && !across_ ? 1 : all.size;
      for (int position = 0; position < positions; ++position) look_at(d, position * all.stride);
    } else if (map_.block(d) == Block::ring) {  // messages pass others' links
      for (int position = 0; position < all.size; ++position)
        look_at(d, all.base(base) + position * all.stride);
    } else {
      for (int position = 0; position < group.size; ++position) look_at(d, base + position * group.stride);
    }
    return busy;
  }

 private:
  // The members are: stride, size and dimension of the group; kind of peer; amount.
  using Flow = std::tuple<int, int, int, Peer, int>;
  // The members are: stride, size and dimension of the group; whether this is the second tree.
  using Tree = std::tuple<int, int, int, bool>;

  void add_flow(const LogicalDimension& group, Peer peer, int amount, const LinkLoad& load) {
    flows_[{group.stride, group.size, group.physical, peer, amount}] += load;
  }

  void add_exchange(const LogicalDimension& group, const ExchangeSchedule& schedule, std::uint64_t times) {
    const std::uint64_t rounds = schedule.messages / schedule.steps.size();
    const std::uint64_t rest = schedule.messages % schedule.steps.size();
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
      const std::uint64_t messages = (rounds + (i < rest ? 1 : 0)) * times;
      if (messages == 0) continue;
      const auto amount = static_cast<int>(schedule.steps[i].amount);
      add_flow(group, schedule.peer, amount, LinkLoad{schedule.steps[i].bytes, 1} * messages);
      if (!machine_.rendezvous) continue;
      const int back = schedule.peer == Peer::shift ? group.size - amount : amount;
      add_flow(group, schedule.peer, back, LinkLoad{handshake_bytes, 1} * messages);
    }
  }

  void expand_tree(const LogicalDimension& group, const TreeSchedule& tree, const LinkLoad& load) {
    const bool crosses = group.physical < 0;  // several dimensions
    const int step = crosses ? group.stride : step_of(group);
    const int size = crosses ? npus_ : map_.groups(static_cast<std::size_t>(group.physical)).size;
    for (int position = 0; position < size; ++position) {
      const int member = position / step % group.size;
      const int parent = tree.node(static_cast<std::uint32_t>(member)).parent;
      if (parent == TreeSchedule::none) continue;
      const int above = position + (parent - member) * step;
      for (const auto& [from, to] : {std::pair(position, above), std::pair(above, position)}) {
        if (crosses)
          across().add(from, to, load);
        else
          dimension_of(group).add(from, to, load);
      }
    }
  }

  void expand(const Flow& flow, const LinkLoad& load) {
    const auto [stride, size, physical, peer, amount] = flow;
    const LogicalDimension group{stride, size, physical};
    if (physical >= 0) {
      dimension_of(group).add_exchange(size, step_of(group), peer, amount, load);
      return;
    }
    for (int npu = 0; npu < npus_; ++npu) {
      const int position = group.position(npu);
      across().add(npu, npu + (peer_of(position, peer, amount, size) - position) * stride, load);
    }
  }

  DimensionTraffic& dimension_of(const LogicalDimension& group) {
    return dimensions_[static_cast<std::size_t>(group.physical)];
  }
  int step_of(const LogicalDimension& group) const {
    return group.stride / map_.groups(static_cast<std::size_t>(group.physical)).stride;
  }
  LinkLoads& across() {
    if (!across_) across_.emplace(map_);
    return *across_;
  }

  void collect(std::size_t d, Link link, std::uint64_t count, const LinkLoad& load, LinkSets& sets) const {
    sets.add(link, count, load, speeds_.total_busy(d, map_.npus(link), load.bytes));
  }

  LinkLoad load_of(std::size_t d, Link link, int npu, Link which) const {
    LinkLoad load = dimensions_[d].of(map_.groups(d).position(npu), which);
    if (across_) load += across_->of(link);
    return load;
  }
  Time busy_of(std::size_t d, Link link, int npu, Link which) const {
    return speeds_.total_busy(d, map_.npus(link), load_of(d, link, npu, which).bytes);
  }

  void collect_by_position(std::size_t d, LinkSets& sets) const {
    const DimensionTraffic& traffic = dimensions_[d];
    const LogicalDimension& groups = map_.groups(d);
    const int positions = traffic.even() ? 1 : groups.size;
    const auto alike = static_cast<std::uint64_t>(npus_ / positions);
    for (int position = 0; position < positions; ++position) {
      for (Link which = 0; which < map_.links_per_npu(d); ++which)
        collect(d, map_.link(d, position * groups.stride, which), alike, traffic.of(position, which), sets);
    }
  }

  void collect_each(std::size_t d, LinkSets& sets) const {
    for (int npu = 0; npu < npus_; ++npu) {
      for (Link which = 0; which < map_.links_per_npu(d); ++which) {
        const Link link = map_.link(d, npu, which);
        collect(d, link, 1, load_of(d, link, npu, which), sets);
      }
    }
  }

  const TrafficMachine& machine_;
  const LinkMap& map_;
  const LinkSpeeds& speeds_;
  int npus_;
  std::deque<DimensionTraffic> dimensions_;
  std::map<Flow, LinkLoad> flows_;
  std::map<Tree, LinkLoad> trees_;
  std::optional<LinkLoads> across_;  // loads of algorithms that cross dimensions
};

// Returns the longest time that a switch adds up.
Time longest_sum(const PhaseShape& shape) {
  Time longest;
  if (const auto* programs = std::get_if<ProgramSchedule>(&shape.schedule))
    for (const MemberProgram& program : programs->programs)
      for (const MemberProgram::Step& step : program.steps)
        if (step.at != MemberProgram::npu) longest = std::max(longest, step.duration);
  return longest;
}

PhaseShape on_all_groups(PhaseShape shape) {
  shape.pins.clear();
  return shape;
}

}  // namespace

PhaseLoads::PhaseLoads(const TrafficMachine& machine)
    : machine_(machine),
      map_(machine.topology, machine.dialect.one_link_per_message),
      speeds_(machine.topology, machine.dialect, machine.network.slow_links) {}

const GroupKinds& PhaseLoads::kinds_of(const LogicalDimension& group) {
  const DimensionKey key{group.stride, group.size, group.physical};
  const auto found = kinds_.find(key);
  if (found != kinds_.end()) return found->second;
  GroupKinds kinds(true);
  if (group.physical >= 0) {
    const LinkSlowdown slowdown =
        slowdown_into(machine_.network.slow_links, group.physical, machine_.topology.npus());
    if (slowdown.differs())
      kinds = GroupKinds(group, map_.groups(static_cast<std::size_t>(group.physical)), slowdown.by_npu);
  }
  return kinds_.emplace(key, std::move(kinds)).first->second;
}

Time PhaseLoads::busiest(const PhaseShape& shape, int npu) {
  const GroupKinds& kinds = kinds_of(shape.group);
  const std::uint32_t kind = kinds.of(npu);
  const auto [entry, added] = busiest_.insert({{&shape, kind}, Time()});
  if (!added) return entry->second;
  const auto* tree = std::get_if<TreeSchedule>(&shape.schedule);
  if (tree && !any_slow_links()) return entry->second = busiest_of_tree(shape.group, *tree);
  MachineTraffic traffic(machine_, map_, speeds_);
  traffic.add(on_all_groups(shape), 1);
  traffic.settle();
  return entry->second = std::max(traffic.busiest(shape.group, kinds.base(kind)), longest_sum(shape));
}

bool PhaseLoads::any_slow_links() const {
  for (std::size_t d = 0; d < map_.dimensions(); ++d)
    if (speeds_.any_slow(d)) return true;
  return false;
}

// All messages of a tree are equally long. So among equally fast links the one with most messages is the
// busiest, whatever the bytes are.
Time PhaseLoads::busiest_of_tree(const LogicalDimension& group, const TreeSchedule& tree) {
  std::vector<std::uint64_t>& most = tree_messages_[{{group.stride, group.size, group.physical}, tree.odd}];
  if (most.empty()) {
    MachineTraffic traffic(machine_, map_, speeds_);
    traffic.add_tree(group, tree, {Bytes(1), 1});
    traffic.settle();
    most = traffic.max_bytes(group);
  }
  Time busy;
  const Bytes bytes = tree_message_load(tree, machine_.rendezvous).bytes;
  for (std::size_t d = 0; d < most.size(); ++d)
    busy = std::max(busy, speeds_.total_busy(d, {0, 0}, bytes * most[d]));
  return busy;
}

std::vector<LinkUse> links_used(const PhaseCounts& phases, const TrafficMachine& machine) {
  const LinkMap map(machine.topology, machine.dialect.one_link_per_message);
  const LinkSpeeds speeds(machine.topology, machine.dialect, machine.network.slow_links);
  MachineTraffic traffic(machine, map, speeds);
  for (const auto& [shape, times] : phases) traffic.add(*shape, times);
  traffic.settle();
  return traffic.links();
}

}  // namespace orrery::core
