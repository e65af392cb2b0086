// Makes programs of sends, receives and preparations for collectives with a root, and for the barrier.
// ASTRA-sim 2 has none of these collectives, so the programs are Orrery's own.
//
// Data flow along a tree from the root (broadcast, scatter) or to it (reduce, gather); a barrier goes up and
// down. The algorithm "ring" takes the chain, "tree" the binomial tree, "direct" the star. As in the
// algorithms of ASTRA-sim 2, an NPU spends a preparation before each message and one after the last reception
// of a phase. A member leaves when the messages that it sends have been delivered, so that chunks which
// follow one another do not share a link's bandwidth unseen.
#pragma once

#include <cstdint>

#include "collective/algorithms/algorithm.hpp"

namespace orrery::core {

enum class RootedTree : std::uint8_t { chain, binomial, star };

// The size of the message that every member sends in a barrier.
inline constexpr Bytes barrier_token{8};

// A phase on any group of `members`, whose root is position 0: positions count from the root on.
struct RootedPhase {
  CollectiveKind kind = CollectiveKind::broadcast;
  RootedTree tree = RootedTree::binomial;
  std::uint32_t members = 2;  // >= 2
  // Size of the data. For broadcast and reduce it is what is copied or reduced; for scatter what the root
  // has; for gather what each member has. A barrier does not use it.
  Bytes bytes;
  Time reduction;  // time to reduce `bytes`; reduce only
};

// Returns the program that `position` runs.
MemberProgram make_rooted_program(const RootedPhase& phase, std::uint32_t position);

// The role of a position. Positions that do the same share a program: the one of `position`, with peers
// counted from `origin` on.
struct RootedRole {
  std::uint32_t position, origin;
};
RootedRole role_of(const RootedPhase& phase, std::uint32_t position);

// Returns whether data go away from the root, rather than to it.
bool goes_outward(CollectiveKind kind);
// Returns whether the outermost dimension goes first in a collective over several dimensions, which run one
// after the other. The outer dimensions are the slower ones. A broadcast does them first, when few ranks have
// the data, so each carries it once per group of inner dimensions. A scatter does them last, when its data is
// spread over the links of many ranks. Reduce and gather mirror them. For a barrier any order will do.
bool is_outermost_first(CollectiveKind kind);

// Returns the programs of all members.
ProgramSchedule make_rooted_schedule(RootedTree tree, const PhaseRequest& request);

}  // namespace orrery::core
