#include "workload/astra1/recomputation_check.hpp"

#include <gtest/gtest.h>

namespace orrery::core::recomputation_check_test {
namespace {

bool contains(unsigned set, int layer) {
  return (set >> layer & 1u) != 0;
}

// Runs the backward pass as docs/models/training-loops.md, Recomputation, states it, over sets of layers. It
// is false when it finds no checkpoint, leaves the table or does not end.
bool runs(int layers, unsigned checkpoints, unsigned initiators) {
  int steps_left = 1000;
  for (int i = layers - 1; i >= 0; --i) {
    if (contains(initiators, i)) {
      int j = i;
      while (j >= 0 && !contains(checkpoints, j)) --j;
      if (j < 0) return false;
      do {
        if (++j >= layers || --steps_left == 0) return false;
      } while (!contains(initiators, j));
      i = j;
    }
  }
  return true;
}

bool is_accepted(int layers, unsigned checkpoints, unsigned initiators) {
  std::vector<LocatedLayer> checkpoint_list, initiator_list;
  for (int layer = layers - 1; layer >= 0; --layer) {
    if (contains(checkpoints, layer)) checkpoint_list.push_back({layer, {"f"}});
    if (contains(initiators, layer)) initiator_list.push_back({layer, {"f"}});
  }
  try {
    check_recomputation(checkpoint_list, initiator_list);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST(RecomputationCheck, AcceptsExactlyWhatRuns) {
  int accepted = 0;
  for (int layers = 1; layers <= 5; ++layers)
    for (unsigned checkpoints = 0; checkpoints < 1u << layers; ++checkpoints)
      for (unsigned initiators = 0; initiators < 1u << layers; ++initiators) {
        EXPECT_EQ(is_accepted(layers, checkpoints, initiators), runs(layers, checkpoints, initiators))
            << layers << " layers, sets " << checkpoints << " and " << initiators;
        accepted += runs(layers, checkpoints, initiators) ? 1 : 0;
      }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace orrery::core::recomputation_check_test
