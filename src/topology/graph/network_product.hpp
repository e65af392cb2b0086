// Networks that are products: along each dimension, every NPU lies in one circle, or one star, or the like,
// and all of a dimension are equal. Such a network looks the same from each of its NPUs.
//
// This is the Cartesian product of graphs, in which a shortest route between NPUs that differ in one
// dimension stays in that dimension.
#pragma once

#include <vector>

#include "topology/graph/graph_draft.hpp"

namespace orrery::core {

struct ProductFactor {
  enum class Form {
    circle,  // a link to the next and to the previous NPU; one cable between two NPUs
    full,    // a link to every other NPU
    star,    // a link to a switch, which does not reduce; only the innermost factor of a graph can be one
  };
  Form form;
  int size;  // 1 is a factor without links
  Cable cable;
  // In a circle: messages to the NPU opposite go ahead. If false, they may go either way, as both are equally
  // short.
  bool far_side_is_ahead = false;
  // In a circle: messages of both ways share the link between two neighbours. If false, each route has its
  // own link.
  bool both_ways_share = false;
  int first_switch = 0;  // for a star: the number of the first of its switches
};

// Innermost first; empty: one NPU.
using NetworkProduct = std::vector<ProductFactor>;

// Returns the number of cables of the network. Cables that lie side by side count each.
double cables_of(const NetworkProduct& product);

}  // namespace orrery::core
