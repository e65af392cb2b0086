#include "compute/roofline/gemm_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::core {
namespace {

constexpr double k_step_bytes = 64;      // of a row that a tile takes at a time
constexpr double accumulator_bytes = 4;  // partial sums are fp32
constexpr int max_splits = 16;

double steps(double length, double step) {
  return std::ceil(length / step);
}

}  // namespace

double overlapped(double a, double b, double exposed_share) {
  return std::max(a, b) + exposed_share * std::min(a, b);
}

GemmTime::GemmTime(const Device& device, Datatype type, const RooflineConstants& constants)
    : constants_(constants),
      processors_(device.processors),
      flops_per_processor_(device.product_peak(type) * constants_.matrix_efficiency / device.processors),
      bytes_per_second_(device.memory_bandwidth.bytes_per_ns() * 1e9 * constants_.memory_efficiency),
      k_step_(k_step_bytes / bytes_of(type)) {}

GemmTime::TileTime GemmTime::tile_time(const GemmShape& shape, Tile tile, double k) const {
  const double padded_k = steps(k, k_step_) * k_step_;
  const double multiply =
      2.0 * tile.rows * tile.columns * padded_k * shape.compute_share / flops_per_processor_;
  const double bytes =
      (tile.rows * shape.row_operand_bytes + tile.columns * shape.column_operand_bytes) * padded_k;
  return {multiply, constants_.load_bandwidth > 0 ? bytes / constants_.load_bandwidth : 0};
}

double GemmTime::seconds_of(const TileTime& time) const {
  return overlapped(time.multiply, time.load, constants_.exposed_share) + constants_.tile_seconds;
}

double GemmTime::reduction_seconds(const GemmShape& shape, int split) const {
  if (split == 1) return 0;
  const double partial_bytes = shape.batch * shape.m * shape.n * accumulator_bytes * split;
  return partial_bytes / bytes_per_second_ + constants_.tile_seconds;
}

// The clock falls within a fraction of a millisecond, as the regulation of power does.
double GemmTime::throttled_seconds(double compute_seconds) const {
  return std::max(0.0, compute_seconds - constants_.boost_seconds) * (1 / constants_.sustained_share - 1);
}

GemmPlan GemmTime::plan(const GemmShape& shape) const {
  GemmPlan best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (const Tile tile : constants_.tiles) {
    const double tiles = shape.batch * steps(shape.m, tile.rows) * steps(shape.n, tile.columns);
    for (int split = 1; split <= max_splits; split *= 2) {
      if (split > 1 && (tiles * split > 2 * processors_ || split * k_step_ > shape.k)) break;
      const double waves = steps(tiles * split, processors_);
      const double at_full_speed = waves * seconds_of(tile_time(shape, tile, steps(shape.k, split)));
      const double compute = at_full_speed + throttled_seconds(at_full_speed);
      const double reduction = reduction_seconds(shape, split);
      const double seconds = overlapped(compute, shape.memory_seconds, constants_.exposed_share) + reduction;
      if (seconds < best.seconds) best = {tile, split, waves, compute + reduction, seconds};
    }
  }
  return best;
}

GemmParts GemmTime::parts(const GemmShape& shape, const GemmPlan& plan) const {
  const double k = steps(shape.k, plan.split_k);
  const TileTime time = tile_time(shape, plan.tile, k);
  return {steps(k, k_step_) * k_step_,
          shape.batch * steps(shape.m, plan.tile.rows) * steps(shape.n, plan.tile.columns) * plan.split_k,
          time.multiply,
          time.load,
          seconds_of(time),
          throttled_seconds(plan.waves * seconds_of(time)),
          reduction_seconds(shape, plan.split_k)};
}

}  // namespace orrery::core
