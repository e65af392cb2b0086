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
    star,    // a link to a switch, which does not reduce; the innermost factor only
  };
  Form form;
  int size;  // 1 is a factor without links
  Cable cable;
};

// Innermost first; empty: one NPU.
using NetworkProduct = std::vector<ProductFactor>;

// Returns the number of cables of the network, those side by side each.
double cables_of(const NetworkProduct& product);

}  // namespace orrery
