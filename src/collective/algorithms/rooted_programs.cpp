#include "collective/algorithms/rooted_programs.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "collective/algorithms/algorithms.hpp"
#include "collective/algorithms/program_builder.hpp"

namespace orrery::core {

namespace {

using Step = MemberProgram::Step;
using Steps = ProgramBuilder::Steps;

// The tree of an algorithm, as one position sees it. Subtrees are consecutive positions.
struct Place {
  std::uint32_t position, parent = 0;  // the root has none
  std::uint32_t below = 1;             // positions of its subtree, itself included
  std::vector<std::uint32_t> children;
  std::vector<std::uint32_t> below_children;
  bool at_once = false;  // it sends to all children at the same time

  void add_child(std::uint32_t child, std::uint32_t below_child) {
    children.push_back(child);
    below_children.push_back(below_child);
    below += below_child;
  }
};

Place place_of(RootedTree tree, std::uint32_t position, std::uint32_t members) {
  Place place{position, 0, 1, {}, {}};
  switch (tree) {
    case RootedTree::chain:
      place.parent = position - 1;
      if (position + 1 < members) place.add_child(position + 1, members - position - 1);
      break;
    case RootedTree::binomial: {
      // The children are position + 2^j, with 2^j below the position's lowest bit; the largest subtree comes
      // first.
      place.parent = position & (position - 1);
      const std::uint32_t end = position == 0 ? std::bit_ceil(members) : position & -position;
      for (std::uint32_t step = end / 2; step > 0; step /= 2) {
        const std::uint32_t child = position + step;
        if (child < members) place.add_child(child, std::min(step, members - child));
      }
      break;
    }
    case RootedTree::star:
      for (std::uint32_t child = 1; position == 0 && child < members; ++child) place.add_child(child, 1);
      place.at_once = true;
      break;
  }
  return place;
}

class ProgramMaker {
 public:
  ProgramMaker(const RootedPhase& phase, std::uint32_t position)
      : phase_(phase), place_(place_of(phase.tree, position, phase.members)) {}

  MemberProgram make() {
    switch (phase_.kind) {
      case CollectiveKind::broadcast:
      case CollectiveKind::scatter:
        go_down(is_root() ? Steps{add_own(first_message())} : Steps{receive_from_parent()});
        break;
      case CollectiveKind::reduce:
      case CollectiveKind::gather:
        go_up();
        break;
      default:
        make_barrier();
        break;
    }
    MemberProgram program = program_.finish();
    program.tagged = false;
    program.name = name_of(phase_.kind);
    return program;
  }

 private:
  bool is_root() const { return place_.position == 0; }

  // Returns the size of a message between a parent and a child. The child's subtree has `below` positions.
  Bytes message(std::uint32_t below) const {
    switch (phase_.kind) {
      case CollectiveKind::gather:
        return phase_.bytes * below;
      case CollectiveKind::scatter:
        return phase_.bytes / phase_.members * below;
      case CollectiveKind::barrier:
        return barrier_token;
      default:
        return phase_.bytes;
    }
  }
  Bytes first_message() const { return message(place_.below_children[0]); }

  std::uint32_t add_own(Bytes bytes, const Steps& after = {}) {
    return program_.add({MemberProgram::Kind::prepare, 0, bytes, 0, {}}, after);
  }
  std::uint32_t add_send(std::uint32_t peer, Bytes bytes, const Steps& after) {
    return program_.add({MemberProgram::Kind::send, peer, bytes, 0, {}}, after);
  }
  // Adds a reception and the preparation for it.
  std::uint32_t add_reception(std::uint32_t peer, Bytes bytes, bool passed_on, const Steps& after = {}) {
    const std::uint32_t received = program_.add({MemberProgram::Kind::receive, peer, bytes, 0, {}}, after);
    const bool reduces = phase_.kind == CollectiveKind::reduce;
    return program_.add({MemberProgram::Kind::prepare, 0, bytes, 0, reduces ? phase_.reduction : Time(), true,
                         reduces, passed_on},
                        Steps{received});
  }

  std::uint32_t receive_from_parent(const Steps& after = {}) {
    return add_reception(place_.parent, message(place_.below), !place_.children.empty(), after);
  }

  // Sends to the children, one after the other or all at once. `ready` is the preparation of the first
  // message.
  void go_down(Steps ready) {
    for (std::size_t i = 0; i < place_.children.size(); ++i) {
      const Bytes bytes = message(place_.below_children[i]);
      if (i > 0) ready = {add_own(bytes, ready)};
      const std::uint32_t sent = add_send(place_.children[i], bytes, ready);
      ready = place_.at_once ? Steps{} : Steps{sent};
    }
  }

  // Receives from all children, then sends to the parent. Returns the steps that end last.
  Steps go_up() {
    Steps gathered;
    for (std::size_t i = 0; i < place_.children.size(); ++i) {
      gathered.push_back(add_reception(place_.children[i], message(place_.below_children[i]), !is_root()));
    }
    if (is_root()) return gathered;
    if (gathered.empty()) gathered = {add_own(message(place_.below))};
    return {add_send(place_.parent, message(place_.below), gathered)};
  }

  void make_barrier() {
    switch (phase_.tree) {
      case RootedTree::chain:
        go_around_twice();
        break;
      case RootedTree::binomial: {
        const Steps up = go_up();
        go_down(is_root() ? up : Steps{receive_from_parent(up)});
        break;
      }
      case RootedTree::star:
        tell_everyone();
        break;
    }
  }

  // When the token is back at the root, everyone has entered. Its second round tells them so, and ends at the
  // member before the root.
  void go_around_twice() {
    const std::uint32_t n = phase_.members, p = place_.position;
    const std::uint32_t next = (p + 1) % n, previous = (p + n - 1) % n;
    Steps ready{is_root() ? add_own(barrier_token) : add_reception(previous, barrier_token, true)};
    ready = {add_send(next, barrier_token, ready)};
    ready = {add_reception(previous, barrier_token, next != 0, ready)};
    if (next != 0) add_send(next, barrier_token, ready);
  }

  void tell_everyone() {
    for (std::uint32_t i = 1; i < phase_.members; ++i) {
      const std::uint32_t to = (place_.position + i) % phase_.members;
      const std::uint32_t from = (place_.position + phase_.members - i) % phase_.members;
      add_send(to, barrier_token, {add_own(barrier_token)});
      add_reception(from, barrier_token, false);
    }
  }

  const RootedPhase& phase_;
  Place place_;
  ProgramBuilder program_;
};

}  // namespace

MemberProgram make_rooted_program(const RootedPhase& phase, std::uint32_t position) {
  return ProgramMaker(phase, position).make();
}

RootedRole role_of(const RootedPhase& phase, std::uint32_t position) {
  const bool shares = phase.kind == CollectiveKind::gather || phase.kind == CollectiveKind::scatter;
  const std::uint32_t lowest_bit = position & -position;
  switch (phase.tree) {
    case RootedTree::chain:  // within the chain
      if (!shares && position > 0 && position + 1 < phase.members) return {1, position - 1};
      break;
    case RootedTree::binomial:  // whole subtrees of one size
      if (position > 0 && position + lowest_bit <= phase.members) return {lowest_bit, position - lowest_bit};
      break;
    case RootedTree::star:
      if (phase.kind == CollectiveKind::barrier) return {0, position};
      return {std::min(position, 1u), 0};
  }
  return {position, 0};
}

bool goes_outward(CollectiveKind kind) {
  return kind == CollectiveKind::broadcast || kind == CollectiveKind::scatter;
}

bool is_outermost_first(CollectiveKind kind) {
  return kind == CollectiveKind::broadcast || kind == CollectiveKind::gather;
}

ProgramSchedule make_rooted_schedule(RootedTree tree, const PhaseRequest& request) {
  const RootedPhase phase{request.kind, tree, request.members, request.input, request.reduction};
  ProgramSchedule schedule;
  schedule.members.reserve(phase.members);
  std::map<std::uint32_t, std::uint32_t> numbers;  // of programs, by a position that runs them
  for (std::uint32_t position = 0; position < phase.members; ++position) {
    const RootedRole role = role_of(phase, position);
    const auto [known, is_new] =
        numbers.try_emplace(role.position, static_cast<std::uint32_t>(schedule.programs.size()));
    if (is_new) schedule.programs.push_back(make_rooted_program(phase, role.position));
    schedule.members.push_back({known->second, role.origin});
  }
  return schedule;
}

const AlgorithmKind tree_algorithm{.name = "tree",
                                   .make = [](const PhaseRequest& request) -> Schedule {
                                     return make_rooted_schedule(RootedTree::binomial, request);
                                   },
                                   .symmetric = false,
                                   .rooted = true};

}  // namespace orrery::core
