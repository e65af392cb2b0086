// The two binary trees over machines by which NCCL reduces. Inner nodes of one tree are leaves of the other,
// where the number of nodes is even (Sanders, Speck, Traff, "Two-tree algorithms for full bandwidth
// broadcast, reduction and scan", Parallel Computing 2009).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace orrery::core {

struct TreePlace {
  std::optional<std::uint32_t> parent;
  std::array<std::optional<std::uint32_t>, 2> children;  // the root's only child is the second
};

// Returns the place of a node in the first tree or in the second one.
TreePlace place_in_tree(std::uint32_t node, std::uint32_t nodes, bool second);

}  // namespace orrery::core
