// Decides what a node of a double binary tree does (docs/models/collectives.md, Double binary tree).
#pragma once

#include <cstdint>

#include "collective/algorithms/schedule.hpp"

namespace orrery::core {

// A port carries out what the member decides:
//   prepare(step)                        begins to prepare
//   send(relation), receive(relation)    exchange the tree's bytes with that neighbour
//   ended()                              hears, after everything else, that the member has done its part
class TreeMember {
 public:
  using Relation = TreeSchedule::Relation;
  using Step = TreeSchedule::Step;

  TreeMember() = default;
  explicit TreeMember(const TreeSchedule::Node& node) : node_(node) {}

  // Returns whether it adds what it receives to what it has.
  bool reduces() const { return node_.left != TreeSchedule::none; }
  // Returns whether it has the data of its whole subtree.
  bool has_gathered() const { return !reduces() || gathered_ == 2; }
  // Returns the number of messages from its two children that it has received.
  std::uint32_t received() const { return received_; }
  bool has(Relation relation) const { return place(relation) != TreeSchedule::none; }
  // Returns the position of a neighbour that it has.
  std::uint32_t peer(Relation relation) const { return static_cast<std::uint32_t>(place(relation)); }

  template <class Port>
  void start(const Port& port) const {
    if (!reduces()) {
      port.prepare(TreeSchedule::first_up);
      return;
    }
    for (const Relation child : children)
      if (has(child)) port.receive(child);
  }

  template <class Port>
  void received(Relation from, const Port& port) {
    if (from == TreeSchedule::parent) {
      port.prepare(TreeSchedule::down);
    } else if (!has(TreeSchedule::parent)) {
      port.prepare(TreeSchedule::root_turn);
    } else {
      port.prepare(++received_ == 2 ? TreeSchedule::last_child_gathered : TreeSchedule::child_gathered);
    }
  }

  template <class Port>
  void prepared(Step step, const Port& port) {
    switch (step) {
      case TreeSchedule::child_gathered:
      case TreeSchedule::last_child_gathered:
        if (++gathered_ < 2) break;
        [[fallthrough]];
      case TreeSchedule::first_up:
        port.send(TreeSchedule::parent);
        port.receive(TreeSchedule::parent);
        break;
      case TreeSchedule::root_turn:
      case TreeSchedule::down:
        for (const Relation child : children)
          if (has(child)) port.send(child);
        port.ended();
        break;
    }
  }

 private:
  static constexpr Relation children[] = {TreeSchedule::left, TreeSchedule::right};

  std::int32_t place(Relation relation) const {
    if (relation == TreeSchedule::parent) return node_.parent;
    return relation == TreeSchedule::left ? node_.left : node_.right;
  }

  TreeSchedule::Node node_;
  std::uint32_t received_ = 0;  // from children
  std::uint32_t gathered_ = 0;  // how many of these it has reduced
};

}  // namespace orrery::core
