// The data about an accelerator: peaks and sizes from its data sheet, and constants of the roofline model.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/bandwidth.hpp"
#include "base/units/bytes.hpp"
#include "compute/datatype.hpp"
#include "compute/kernels/attention_kernel.hpp"
#include "compute/kernels/pointwise_kernels.hpp"
#include "compute/sparsity.hpp"

namespace orrery::core {

// Operations per second by number format; 0 where the device has none. A multiply-accumulate counts as two.
class Peaks {
 public:
  double operator[](Datatype type) const { return values_[static_cast<std::size_t>(type)]; }
  double& operator[](Datatype type) { return values_[static_cast<std::size_t>(type)]; }

 private:
  std::array<double, datatype_words.size()> values_{};
};

// Arrays of multiply-accumulate cells through which data are pumped.
struct SystolicArrays {
  int rows = 0, columns = 0, count = 0;
};

// The part of an output matrix that one processor works on at a time, in elements.
struct Tile {
  int rows = 0, columns = 0;
};

// Constants of products in one number format whose kernels are others than those of matrix units.
struct ProductConstants {
  double launch_seconds = 0, matrix_efficiency = 0, memory_efficiency = 0, load_bandwidth = 0,
         tile_seconds = 0, exposed_share = 0;
  // Kernels for vector units have narrower tiles, too.
  std::vector<Tile> tiles{{256, 128}, {128, 256}, {128, 128}, {256, 64}, {64, 256}, {128, 64}, {64, 128},
                          {64, 64},   {128, 32},  {32, 128},  {64, 32},  {32, 64},  {32, 32}};
};

// The first six constants are fitted to measurements where there are any (scripts/fit-gemm).
struct RooflineConstants {
  double launch_seconds = 4e-6;    // from the issue of an operator to its first instruction, and back
  double matrix_efficiency = 0.8;  // share of the compute peak, in the inner loop of a product
  double memory_efficiency = 0.8;  // share of the main memory's bandwidth
  double load_bandwidth = 0;       // bytes per second from cache into one processor; 0: no limit
  double tile_seconds = 1e-6;      // to fill a tile's pipeline and to write its results
  double exposed_share = 0.15;     // share of the shorter of two overlapping tasks that is not hidden

  // The power that a device may take lowers its clock while it multiplies. A product is computed at full
  // speed for the first time, and at this share of it afterwards.
  double boost_seconds = 0;
  double sustained_share = 1;

  std::optional<ProductConstants> fp32;  // of products in fp32; none: the constants above

  double unaligned_slowdown = 2;          // for products whose rows do not begin at multiples of 16 bytes
  BlockPattern structured_pattern{2, 4};  // of operands that are multiplied faster
  double structured_speedup = 1;          // factor on the compute peak with such an operand
  double zero_skipping = 0;               // share of the products with zeros whose time is saved
  std::vector<Tile> tiles{{256, 128}, {128, 256}, {128, 128}, {256, 64},
                          {64, 256},  {128, 64},  {64, 128},  {64, 64}};

  // Returns these constants with those of products in that format.
  RooflineConstants of_products(Datatype type) const;
};

// The compute model of a plug-in that is to say how long operators take.
struct NamedComputeModel {
  std::string name;
  SourceLocation where;
};

struct Device {
  std::string name;
  std::vector<std::string> sources;  // sources of the numbers below
  Peaks matrix_peak, vector_peak;    // dense
  Bytes memory_size;
  Bandwidth memory_bandwidth;
  Bytes cache_size;    // the last level; 0: not known
  int processors = 1;  // streaming multiprocessors, compute units, matrix engines
  double clock_hz = 0;
  Bandwidth link_bandwidth;  // to other devices: all links, both directions
  // Processors that kernels of collectives occupy; 0: engines of their own carry out collectives.
  int collective_processors = 0;
  std::optional<SystolicArrays> systolic;
  double exponential_rate = 0;  // exponentials per second; 0: see exponentials_per_second()
  RooflineConstants roofline;
  // Kernels that the software has, unless it says so itself.
  AttentionKernel attention_kernel;
  PointwiseKernels pointwise;
  std::optional<NamedComputeModel> compute_model;  // none: Orrery's own, by what is known of the device

  // Returns the peak of matrix products. It is the vector units' peak where there are no matrix units, and 0
  // when the device cannot multiply in this format at all.
  double product_peak(Datatype type) const {
    return matrix_peak[type] > 0 ? matrix_peak[type] : vector_peak[type];
  }
  // Returns the rate of the special function units. GPUs since 2022 have one of these for eight vector units,
  // of which each counts as two operations. 0 where nothing is known.
  double exponentials_per_second() const {
    constexpr double vector_operations = 16;
    return exponential_rate > 0 ? exponential_rate : vector_peak[Datatype::fp32] / vector_operations;
  }
};

}  // namespace orrery::core
