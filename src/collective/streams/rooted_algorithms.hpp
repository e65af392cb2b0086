// Collectives with a root, and the barrier, as programs of sends, receives and preparations. ASTRA-sim 2 has
// none of them, so they are Orrery's own.
//
// Data flow along a tree from the root (broadcast, scatter) or to it (reduce, gather); a barrier goes up and
// down. The algorithms are trees: ring is the chain, tree the binomial one, direct the star. As in the
// algorithms of ASTRA-sim 2, an NPU spends a preparation before each message and one behind the last
// reception of a phase. A member leaves when what it sends has been delivered, so that chunks which follow
// one another do not share a link's bandwidth unseen.
#pragma once

#include <cstdint>
#include <string_view>

#include "collective/streams/custom_algorithm.hpp"

namespace orrery {

enum class RootedKind : std::uint8_t { broadcast, reduce, gather, scatter, barrier };
inline constexpr int rooted_kinds = 5;
// Returns "broadcast" and so on.
std::string_view name_of(RootedKind kind);

enum class RootedAlgorithm : std::uint8_t { ring, tree, direct };

// Size of the message that every member sends in a barrier.
inline constexpr Bytes barrier_token{8};

// A phase on any group of `members`, whose root is position 0: positions count from the root on.
struct RootedPhase {
  RootedKind kind = RootedKind::broadcast;
  RootedAlgorithm algorithm = RootedAlgorithm::tree;
  std::uint32_t members = 2;  // >= 2
  // Size of the data. Broadcast and reduce: what is copied or reduced; scatter: what the root has; gather:
  // what each member has; barrier: not used.
  Bytes bytes;
  Time reduction;  // time to reduce `bytes`; reduce only
};

// Returns the program that `position` runs.
CustomProgram make_rooted_program(const RootedPhase& phase, std::uint32_t position);

// Positions that do the same share a program: the one of `position`, with peers counted from `origin` on.
struct RootedRole {
  std::uint32_t position, origin;
};
RootedRole role_of(const RootedPhase& phase, std::uint32_t position);

// Returns what the root of a gather or a member of a scatter has after the phase; for other kinds, `bytes`.
Bytes output_of(const RootedPhase& phase);

}  // namespace orrery
