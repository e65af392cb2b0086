// Networks that are products: every NPU lies in one circle, or one star, or the like, along each dimension,
// and all of a dimension are equal. Such a network looks the same from each of its NPUs.
//
// This is the Cartesian product of graphs, in which a shortest way between NPUs that differ in one dimension
// stays in that dimension.
#pragma once

#include <vector>

#include "topology/graph/graph_draft.hpp"

namespace orrery {

struct ProductFactor {
  enum class Form {
    circle,  // a link to the next and to the previous one; between two NPUs one cable
    full,    // a link to every other one
    star,    // a link to a switch, which does not reduce; of a graph the innermost factor only
  };
  Form form;
  int size;  // 1 is a factor without links
  Cable cable;
  // In a circle: messages to the NPU opposite go ahead. If false, they may go either way, as both are equally
  // short.
  bool far_side_is_ahead = false;
  // In a circle: messages of both ways share the link between two neighbours. If false, each way has its own
  // link.
  bool both_ways_share = false;
  int first_switch = 0;  // of a star: the number of the first of its switches
};

// Innermost first; empty: one NPU.
using NetworkProduct = std::vector<ProductFactor>;

// Returns the number of cables of the network, those side by side each.
double cables_of(const NetworkProduct& product);

}  // namespace orrery
