// Runs a sharded graph and its gradients with numbers on simulated ranks: whole numbers modulo a prime, so
// that sums are exact in any order. Functions that no algebra knows are stood in for by polynomials of the
// same dependence: products and squares for activation functions, x times the sum of its row for norms and
// softmax.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workload/parallelism/sharded_graph.hpp"

namespace orrery::core::test {

// A whole tensor by the numbers of its elements along each dimension.
using Elements = std::map<std::vector<std::uint32_t>, std::uint64_t>;

struct Results {
  Elements output, input_gradient;
  std::map<std::string, Elements> weight_gradients;  // by the weight's name
};

// Returns what all ranks make of it, put together. Inputs, weights and the output's gradient are functions of
// names and places. Throws std::logic_error when ranks disagree on what they should all have, or an operation
// meets operands that do not belong together.
Results run_sharded(const ShardedGraph& graph);

}  // namespace orrery::core::test
