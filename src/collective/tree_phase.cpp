// This file holds what the nodes of a double binary tree do (docs/models/collectives.md, Double binary
// tree).
#include "collective/message_engine.hpp"

namespace orrery {

TreeSchedule::Node MessageEngine::node_of(const Run& run, std::uint32_t rank) const {
  return run.tree->node(static_cast<std::uint32_t>(run.shape->group.position(static_cast<int>(rank))));
}

MessageEngine::Message MessageEngine::tree_message(const Run& run, std::uint32_t rank,
                                                   std::uint32_t relation) const {
  const TreeSchedule::Node node = node_of(run, rank);
  const std::int32_t position = relation == parent ? node.parent : relation == left ? node.left : node.right;
  const LogicalDimension& group = run.shape->group;
  const auto peer = static_cast<std::uint32_t>(group.base(static_cast<int>(rank)) + position * group.stride);
  return {peer, peer, run.tree->bytes};
}

void MessageEngine::prepare_tree(RunId id, std::uint32_t rank, std::uint32_t step) {
  const Event done = event(endpoint_passed, id, rank, step);
  if (bus_)
    bus_->request(rank, runs_[id]->tree->bytes,
                  bus_pass(runs_[id]->shape->schedule, step, reduces(*runs_[id], rank, step)), done);
  else
    timers_.after(rank, system_.endpoint_delay, done);
}

void MessageEngine::tree_endpoint_passed(RunId id, std::uint32_t rank, std::uint32_t step) {
  const Run& run = *runs_[id];
  // A step of its own even when it costs nothing: that decides the order within the instant.
  if (reduces(run, rank, step))
    timers_.after(rank, run.shape->reduction(0), event(prepared, id, rank, step));
  else
    tree_prepared(id, rank, step);
}

void MessageEngine::start_tree(RunId id, std::uint32_t rank) {
  const TreeSchedule::Node node = node_of(*runs_[id], rank);
  if (node.left == TreeSchedule::none) {
    prepare_tree(id, rank, first_up);
    return;
  }
  receive(id, rank, left);
  if (node.right != TreeSchedule::none) receive(id, rank, right);
}

void MessageEngine::tree_arrived(RunId id, std::uint32_t rank, std::uint32_t relation) {
  Run& run = *runs_[id];
  if (relation == parent) {
    prepare_tree(id, rank, down);
  } else if (node_of(run, rank).parent == TreeSchedule::none) {
    prepare_tree(id, rank, root_turn);
  } else {
    prepare_tree(id, rank, ++run.members[rank].received == 2 ? last_child_gathered : child_gathered);
  }
}

void MessageEngine::go_up(RunId id, std::uint32_t rank) {
  send(id, rank, parent);
  receive(id, rank, parent);
}

void MessageEngine::tree_prepared(RunId id, std::uint32_t rank, std::uint32_t step) {
  Run& run = *runs_[id];
  switch (step) {
    case first_up:
      go_up(id, rank);
      break;
    case child_gathered:
    case last_child_gathered:
      if (++run.members[rank].credit == 2) go_up(id, rank);
      break;
    case root_turn:
      send(id, rank, left);
      ended(id, rank);
      break;
    case down:
      if (node_of(run, rank).left != TreeSchedule::none) {
        send(id, rank, left);
        send(id, rank, right);
      }
      ended(id, rank);
      break;
    default:
      break;
  }
}

}  // namespace orrery
