// Ranks and their classes have numbers of types of their own, because most of the simulation counts classes
// and most of its inputs and outputs count ranks (topology/rank_classes.hpp).
#pragma once

#include "base/units/typed_id.hpp"

namespace orrery::core {

// The number of a rank of the machine, which is that of its NPU.
using RankId = TypedId<struct RankTag>;
// The number of a class of ranks that do the same at the same times, of which one rank is simulated.
using ClassId = TypedId<struct ClassTag>;

// Returns the rank's NPU as topologies and networks count them.
constexpr int npu_of(RankId rank) {
  return static_cast<int>(rank.value());
}

// The following two functions are for what is simulated either on every rank, where each is a class of its
// own (RankClasses::all_distinct), or on rank 0 alone, which stands for all. They say which class a simulated
// rank is, and which rank is simulated for a class.
constexpr ClassId class_of_simulated(RankId rank) {
  return ClassId(rank.value());
}
constexpr RankId simulated_of(ClassId of_class) {
  return RankId(of_class.value());
}

}  // namespace orrery::core
