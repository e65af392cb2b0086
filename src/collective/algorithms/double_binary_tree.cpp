// Two complementary binary trees over the members; chunks alternate between them.
// Sanders, Speck and Traeff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", 2009.
#include <bit>

#include "collective/algorithms/algorithms.hpp"

namespace orrery::core {

namespace {

TreeSchedule make_double_binary_tree(const PhaseRequest& request) {
  if (!std::has_single_bit(request.members)) {
    throw InputError(request.where,
                     "the double binary tree needs a power of two of NPUs in its dimension, not " +
                         std::to_string(request.members) + ", choose ring or direct");
  }
  return {request.members, request.odd, request.input};
}

}  // namespace

const AlgorithmKind double_binary_tree_algorithm{
    .name = "double-binary-tree",
    .make = [](const PhaseRequest& request) -> Schedule { return make_double_binary_tree(request); },
    .alternates = true,
    .carries_all = true};

}  // namespace orrery::core
