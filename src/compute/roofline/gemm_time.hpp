// The time of a matrix product on a GPU, computed from how it is cut into tiles.
//
// The output is cut into tiles, one per processor at a time; a tile that hangs over the edge costs a whole
// one, and the last wave of tiles as much as a full one. Where tiles are few, K is split among several
// processors, which adds a pass over their partial sums. The tile and split that are fastest count, as
// libraries choose them. Source: NVIDIA, Matrix Multiplication Background User's Guide (tile and wave
// quantization).
#pragma once

#include "compute/device.hpp"
#include "compute/operator.hpp"

namespace orrery::core {

// A product, and what makes it cost less than a dense, aligned one. Rows are M, columns N.
struct GemmShape {
  double m = 1, n = 1, k = 1, batch = 1;
  double row_operand_bytes = 2, column_operand_bytes = 2;  // per element, as stored
  double memory_seconds = 0;                               // to move all operands once
  double compute_share = 1;                                // share of the operations that must be done
};

// The fastest way of cutting a product into tiles.
struct GemmPlan {
  Tile tile;
  int split_k = 1;
  double waves = 0;
  double compute_seconds = 0;  // all waves of tiles, with what they wait for
  double seconds = 0;          // with main memory and partial sums, without the launch
};

// The times and counts of which a way of cutting is made up.
struct GemmParts {
  double padded_k = 0;           // of a tile, up to whole steps
  double tiles = 0;              // of all products, each as often as K is split
  double multiply_seconds = 0;   // of a tile
  double load_seconds = 0;       // of its operands, from cache
  double tile_seconds = 0;       // all of it
  double throttled_seconds = 0;  // by which power makes all waves longer
  double reduction_seconds = 0;  // of partial sums, at the end
};

class GemmTime {
 public:
  // `device` must be able to multiply in `type`.
  // `constants` are the device's for such products.
  GemmTime(const Device& device, Datatype type, const RooflineConstants& constants);

  // Returns the constants of products in this format.
  const RooflineConstants& constants() const { return constants_; }
  // Returns the seconds that main memory takes for operands and results.
  double memory_seconds(double bytes) const { return bytes / bytes_per_second_; }
  GemmPlan plan(const GemmShape& shape) const;
  GemmParts parts(const GemmShape& shape, const GemmPlan& plan) const;

 private:
  struct TileTime {
    double multiply, load;
  };
  TileTime tile_time(const GemmShape& shape, Tile tile, double k) const;
  double seconds_of(const TileTime& time) const;
  double reduction_seconds(const GemmShape& shape, int split) const;
  double throttled_seconds(double compute_seconds) const;

  RooflineConstants constants_;
  double processors_;
  double flops_per_processor_;  // per second, as reached
  double bytes_per_second_;     // of main memory, as reached
  double k_step_;               // elements
};

// Returns the seconds of two tasks that overlap: those of the longer one, plus the share of the shorter one's
// that does not hide behind it.
double overlapped(double a, double b, double exposed_share);

}  // namespace orrery::core
