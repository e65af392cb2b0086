#include "topology/channels/node_tree.hpp"

#include <bit>

namespace orrery::core {
namespace {

TreePlace place_in_first(std::uint32_t node, std::uint32_t nodes) {
  TreePlace place;
  if (node == 0) {
    if (nodes > 1) place.children[1] = std::bit_floor(nodes - 1);
    return place;
  }
  const std::uint32_t lowest = node & -node;
  const std::uint32_t above = (node ^ lowest) | (2 * lowest);
  place.parent = above < nodes ? above : node ^ lowest;
  std::uint32_t half = lowest / 2;
  if (half == 0) return place;
  place.children[0] = node - half;
  while (half > 0 && node + half >= nodes) half /= 2;
  if (half > 0) place.children[1] = node + half;
  return place;
}

}  // namespace

// The second tree is the first one mirrored or, if the number of nodes is odd, shifted by one.
TreePlace place_in_tree(std::uint32_t node, std::uint32_t nodes, bool second) {
  if (!second) return place_in_first(node, nodes);
  const bool mirrored = nodes % 2 == 0;
  const auto there = [&](std::uint32_t n) { return mirrored ? nodes - 1 - n : (n + nodes - 1) % nodes; };
  const auto back = [&](std::optional<std::uint32_t>& n) {
    if (n) n = mirrored ? nodes - 1 - *n : (*n + 1) % nodes;
  };
  TreePlace place = place_in_first(there(node), nodes);
  back(place.parent);
  for (auto& child : place.children) back(child);
  return place;
}

}  // namespace orrery::core
