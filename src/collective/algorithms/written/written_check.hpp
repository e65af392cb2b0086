// Checks whether a written algorithm computes what it says. It is carried out once, with each GPU's
// contributions in the place of numbers.
//
// Sends never wait for their receives. Where blocks of a GPU use the same chunk without waiting for each
// other, only one of the possible orders is looked at.
#pragma once

#include "collective/algorithms/written/written_algorithm.hpp"

namespace orrery::core {

// Throws InputError at the step or GPU that is wrong.
void check_written(const WrittenAlgorithm& algorithm);

}  // namespace orrery::core
