// Cycles, utilization and memory accesses of a matrix product on a systolic array, as SCALE-Sim v2 counts
// them.
//
// The grid takes R x C of the stationary operand's Sr x Sc elements at a time, a fold, and T steps stream
// through each of the F = ceil(Sr/R) ceil(Sc/C) folds. No fold overlaps the next:
//
//                       Sr  Sc  T   cycles of a fold
//   output stationary   M   N   K   T + R + C - 2
//   weight stationary   K   N   M   T + 2R + C - 2
//   input stationary    K   M   N   T + 2R + C - 2
//
// cycles = F * (cycles of a fold) - 1, because the last cycle is counted from 0. This holds where operands
// arrive in time. With a bandwidth, there are at least as many cycles as it takes to move the words that do
// not fit the buffers.
#pragma once

#include <cstdint>

#include "base/diagnostics/diagnostics.hpp"
#include "compute/systolic/systolic_array.hpp"
#include "compute/systolic/systolic_operation.hpp"

namespace orrery::core {

struct WordTraffic {
  std::uint64_t input_reads = 0, filter_reads = 0, output_writes = 0;

  bool operator==(const WordTraffic&) const = default;
};

// The cost of all repeats. Where several arrays share the operator, cycles and shares are those of the
// slowest array, and words are those of all arrays together.
struct SystolicCost {
  std::uint64_t cycles = 0;        // stalls included
  std::uint64_t stall_cycles = 0;  // waiting for main memory
  std::uint64_t folds = 0;
  std::uint64_t streaming_cycles = 0;  // cycles in which operands stream; the others fill and empty the array
  double overall_utilization = 0;      // multiply-adds / (cycles * units), 0 to 1
  double mapping_efficiency = 0;       // share of the units that a fold uses, on average, 0 to 1
  double compute_utilization = 0;  // share of units in use over time; counts the skew of columns twice but
                                   // for os, as the original
  WordTraffic sram, dram;          // dram.output_writes without the padding of lines, below 0.1 %
};

// Several arrays split the larger of M and N. Throws InputError at `where` when the array has a size of zero
// or buffers below `smallest_sram`, or when a count does not fit 64 bits.
SystolicCost systolic_cost(const SystolicArray& array, const SystolicOperation& operation,
                           const SourceLocation& where);

}  // namespace orrery::core
