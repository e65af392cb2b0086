#include "compute/systolic/systolic_cost.hpp"

#include <algorithm>

#include "base/diagnostics/unreachable.hpp"
#include "compute/systolic/checked_count.hpp"
#include "compute/systolic/half_buffer.hpp"

namespace orrery::core {
namespace {

// The stationary operand cut into folds.
struct Folding {
  std::uint64_t spatial_rows, spatial_columns, steps;
  std::uint64_t row_folds, column_folds;
  std::uint64_t folds, fold_cycles;
};

Folding fold(const SystolicArray& array, const SystolicOperation& op, const SourceLocation& where) {
  Folding f{};
  switch (array.dataflow) {
    case Dataflow::output_stationary:
      f = {op.m, op.n, op.k, 0, 0, 0, 0};
      break;
    case Dataflow::weight_stationary:
      f = {op.k, op.n, op.m, 0, 0, 0, 0};
      break;
    case Dataflow::input_stationary:
      f = {op.k, op.m, op.n, 0, 0, 0, 0};
      break;
  }
  f.row_folds = ceil_divide(f.spatial_rows, array.rows);
  f.column_folds = ceil_divide(f.spatial_columns, array.columns);
  f.folds = checked_product({f.row_folds, f.column_folds}, where);
  const bool loads_first = array.dataflow != Dataflow::output_stationary;  // the stationary operand
  f.fold_cycles = checked_sum({f.steps, array.rows, array.columns, loads_first ? array.rows : 0}, where) - 2;
  return f;
}

WordTraffic sram_traffic(const SystolicArray& array, const SystolicOperation& op, const Folding& f,
                         const SourceLocation& where) {
  const std::uint64_t rows = f.row_folds, columns = f.column_folds;
  switch (array.dataflow) {
    case Dataflow::output_stationary: {
      // The original counts R + C writes too many per fold.
      const std::uint64_t surplus =
          checked_product({f.folds, checked_sum({array.rows, array.columns}, where)}, where);
      return {checked_product({op.m, op.k, columns}, where), checked_product({op.k, op.n, rows}, where),
              checked_sum({checked_product({op.m, op.n}, where), surplus}, where)};
    }
    case Dataflow::weight_stationary:
      return {checked_product({op.m, op.input_columns(), columns}, where),
              checked_product({op.k, op.n}, where), checked_product({op.m, op.n, rows}, where)};
    case Dataflow::input_stationary:
      return {checked_product({op.m, op.k}, where), checked_product({op.k, op.n, columns}, where),
              checked_product({op.m, op.n, rows}, where)};
  }
  unreachable("the traffic of every dataflow is known");
}

// Under os, the filter is read a block of columns at a time, each as often as there are row folds.
std::uint64_t filter_blocks_from_dram(const SystolicArray& array, const SystolicOperation& op,
                                      const Folding& f, const SourceLocation& where) {
  HalfBuffer buffer(array.filter_sram, where);
  const std::uint64_t full_blocks = op.n / array.columns, rest = op.n % array.columns;
  std::uint64_t reads = 0;
  if (full_blocks > 0)
    reads = buffer.read(checked_product({op.k, array.columns}, where), f.row_folds, full_blocks);
  if (rest > 0)
    reads = checked_sum({reads, buffer.read(checked_product({op.k, rest}, where), f.row_folds)}, where);
  return reads;
}

// Under ws, a fold reads from all windows what its rows of the filter touch. The buffer keeps what folds one
// after the other have fetched until it is full, and then drops all.
std::uint64_t windows_from_dram(const SystolicArray& array, const SystolicOperation& op, const Folding& f,
                                const SourceLocation& where) {
  constexpr std::uint64_t max_folds = 1 << 20;
  const std::uint64_t capacity = HalfBuffer(array.input_sram, where).capacity();
  std::uint64_t reads = 0, held = 0, first = 0;  // `first`: row from which on the buffer holds folds
  for (std::uint64_t row = 0; row < op.k; row += array.rows) {
    const std::uint64_t end = std::min(op.k, row + array.rows);
    const std::uint64_t fresh = first < row
                                    ? op.grid->words_of(first, end) - std::min(op.grid->words_of(first, row),
                                                                               op.grid->words_of(first, end))
                                    : op.grid->words_of(row, end);
    reads = checked_sum({reads, fresh}, where);
    held += fresh;
    if (held >= capacity) {
      held %= capacity;
      first = end;
    }
    if (row / array.rows >= max_folds)  // the others are alike
      return checked_product({reads / max_folds, f.row_folds, f.column_folds}, where);
  }
  return checked_product({std::max(reads, op.input_words), f.column_folds}, where);
}

std::uint64_t inputs_from_dram(const SystolicArray& array, const SystolicOperation& op, const Folding& f,
                               const SourceLocation& where) {
  HalfBuffer buffer(array.input_sram, where);
  const bool inputs_stay = array.dataflow == Dataflow::input_stationary;
  if (array.dataflow == Dataflow::weight_stationary && op.grid && op.dense_k == 0 &&
      op.input_words >= buffer.capacity())
    return windows_from_dram(array, op, f, where);
  return buffer.read(op.input_words, inputs_stay ? 1 : f.column_folds);
}

WordTraffic dram_traffic(const SystolicArray& array, const SystolicOperation& op, const Folding& f,
                         const SourceLocation& where) {
  const bool inputs_stay = array.dataflow == Dataflow::input_stationary;
  const bool outputs_stay = array.dataflow == Dataflow::output_stationary;
  WordTraffic traffic;
  traffic.input_reads = inputs_from_dram(array, op, f, where);
  traffic.filter_reads =
      outputs_stay ? filter_blocks_from_dram(array, op, f, where)
                   : HalfBuffer(array.filter_sram, where)
                         .read(checked_product({op.k, op.n}, where), inputs_stay ? f.column_folds : 1);
  traffic.output_writes = checked_product({op.m, op.n, outputs_stay ? 1 : f.row_folds}, where);
  return traffic;
}

// Returns the cycles of moving the words that the buffers cannot hold; each buffer has a port of its own.
std::uint64_t memory_cycles(const SystolicArray& array, const WordTraffic& dram) {
  if (!array.bandwidth) return 0;
  const auto cycles = [&](std::uint64_t words, std::uint64_t sram) {
    return ceil_divide(words - std::min(words, sram), *array.bandwidth);
  };
  return std::max({cycles(dram.input_reads, array.input_sram), cycles(dram.filter_reads, array.filter_sram),
                   cycles(dram.output_writes, array.output_sram)});
}

double product(std::initializer_list<std::uint64_t> factors) {
  long double out = 1;
  for (const std::uint64_t factor : factors) out *= static_cast<long double>(factor);
  return static_cast<double>(out);
}

// Returns the cost of one repeat on one array.
SystolicCost cost_of_one(const SystolicArray& array, const SystolicOperation& op,
                         const SourceLocation& where) {
  const Folding f = fold(array, op, where);
  SystolicCost cost;
  cost.sram = sram_traffic(array, op, f, where);
  cost.dram = dram_traffic(array, op, f, where);
  const std::uint64_t busy = checked_product({f.folds, f.fold_cycles}, where) - 1;
  cost.cycles = std::max(busy, memory_cycles(array, cost.dram));
  cost.stall_cycles = cost.cycles - busy;
  cost.folds = f.folds;
  cost.streaming_cycles = checked_product({f.folds, f.steps}, where);
  cost.mapping_efficiency =
      product({f.spatial_rows, f.spatial_columns}) / product({f.folds, array.rows, array.columns});
  const bool skews_twice = array.dataflow != Dataflow::output_stationary;
  const std::uint64_t counted_cycles = f.fold_cycles + (skews_twice ? array.columns - 1 : 0);
  cost.compute_utilization = cost.mapping_efficiency * product({f.steps}) / product({counted_cycles});
  return cost;
}

void add(WordTraffic& sum, const WordTraffic& traffic, std::uint64_t times, const SourceLocation& where) {
  const auto add_words = [&](std::uint64_t& to, std::uint64_t words) {
    to = checked_sum({to, checked_product({words, times}, where)}, where);
  };
  add_words(sum.input_reads, traffic.input_reads);
  add_words(sum.filter_reads, traffic.filter_reads);
  add_words(sum.output_writes, traffic.output_writes);
}

// The part of an operation that falls to one array: `share` of its M or N.
SystolicOperation part_of(const SystolicOperation& op, std::uint64_t share) {
  SystolicOperation part = op;
  if (share == std::max(op.m, op.n)) return part;
  if (op.m < op.n) {
    part.n = share;
  } else {
    part.m = share;
    part.input_words =
        static_cast<std::uint64_t>(static_cast<long double>(op.input_words) *
                                   static_cast<long double>(share) / static_cast<long double>(op.m));
    part.input_words = std::max<std::uint64_t>(part.input_words, 1);
    part.grid.reset();  // an array's windows are some of all
  }
  return part;
}

void check(const SystolicArray& array, const SourceLocation& where) {
  if (array.rows == 0 || array.columns == 0 || array.arrays == 0)
    throw InputError(where, "the systolic array has no units, give it at least one row and column");
  if (array.bandwidth == 0u) throw InputError(where, "the bandwidth is 0, choose at least 1 word per cycle");
  if (std::min({array.input_sram, array.filter_sram, array.output_sram}) < smallest_sram)
    throw InputError(where, "a buffer of the systolic array has fewer than 100 words, enlarge it");
}

}  // namespace

SystolicCost systolic_cost(const SystolicArray& array, const SystolicOperation& operation,
                           const SourceLocation& where) {
  check(array, where);
  struct Part {
    std::uint64_t share, arrays;
  };
  const std::uint64_t shared = std::max(operation.m, operation.n);
  const std::uint64_t share = shared / array.arrays, rest = shared % array.arrays;
  SystolicCost cost;
  for (const Part& part : {Part{share + 1, rest}, Part{share, array.arrays - rest}}) {
    if (part.share == 0 || part.arrays == 0) continue;
    const SystolicCost one = cost_of_one(array, part_of(operation, part.share), where);
    if (one.cycles >= cost.cycles) {
      cost.cycles = one.cycles;
      cost.stall_cycles = one.stall_cycles;
      cost.folds = one.folds;
      cost.streaming_cycles = one.streaming_cycles;
      cost.mapping_efficiency = one.mapping_efficiency;
      cost.compute_utilization = one.compute_utilization;
    }
    const std::uint64_t times = checked_product({part.arrays, operation.repeats}, where);
    add(cost.sram, one.sram, times, where);
    add(cost.dram, one.dram, times, where);
  }
  cost.cycles = checked_product({cost.cycles, operation.repeats}, where);
  cost.stall_cycles = checked_product({cost.stall_cycles, operation.repeats}, where);
  cost.folds = checked_product({cost.folds, operation.repeats}, where);
  cost.streaming_cycles = checked_product({cost.streaming_cycles, operation.repeats}, where);
  if (cost.cycles > 0)  // one unit serves one product in cycle 0
    cost.overall_utilization = product({operation.m, operation.n, operation.k, operation.repeats}) /
                               product({cost.cycles, array.rows, array.columns, array.arrays});
  return cost;
}

}  // namespace orrery::core
