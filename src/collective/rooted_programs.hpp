// Collectives with a root, and the barrier, as programs of sends, receives and preparations. ASTRA-sim 2 has
// none of them, so they are Orrery's own.
//
// Data flow along a tree from the root (broadcast, scatter) or to it (reduce, gather); a barrier goes up and
// down. The algorithm "ring" takes the chain, "tree" the binomial tree, "direct" the star. As in the
// algorithms of ASTRA-sim 2, an NPU spends a preparation before each message and one behind the last
// reception of a phase. A member leaves when what it sends has been delivered, so that chunks which follow
// one another do not share a link's bandwidth unseen.
#pragma once

#include <cstdint>

#include "collective/algorithm.hpp"

namespace orrery {

enum class RootedTree : std::uint8_t { chain, binomial, star };

// Size of the message that every member sends in a barrier.
inline constexpr Bytes barrier_token{8};

// A phase on any group of `members`, whose root is position 0: positions count from the root on.
struct RootedPhase {
  CollectiveKind kind = CollectiveKind::broadcast;
  RootedTree tree = RootedTree::binomial;
  std::uint32_t members = 2;  // >= 2
  // Size of the data. Broadcast and reduce: what is copied or reduced; scatter: what the root has; gather:
  // what each member has; barrier: not used.
  Bytes bytes;
  Time reduction;  // time to reduce `bytes`; reduce only
};

// Returns the program that `position` runs.
MemberProgram make_rooted_program(const RootedPhase& phase, std::uint32_t position);

// Positions that do the same share a program: the one of `position`, with peers counted from `origin` on.
struct RootedRole {
  std::uint32_t position, origin;
};
RootedRole role_of(const RootedPhase& phase, std::uint32_t position);

// Returns whether data go from the root on, rather than to it.
bool goes_outward(CollectiveKind kind);
// Over several dimensions a collective goes one after the other. The outer dimensions are the slower ones. A
// broadcast does them first, when few ranks have the data, so each carries it once per group of inner
// dimensions; a scatter does them last, when its data is spread over the links of many ranks. Reduce and
// gather mirror them. For a barrier any order will do.
bool is_outermost_first(CollectiveKind kind);

// Returns the programs of all members.
ProgramSchedule make_rooted_schedule(RootedTree tree, const PhaseRequest& request);

}  // namespace orrery
