// Explains why an operator takes its time on a device: what an ideal device would take, and what is lost
// beyond that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/diagnostics/words.hpp"
#include "compute/compute_model.hpp"
#include "compute/device.hpp"

namespace orrery::core {

// The models that can be the source of an operator's time.
enum class CostSource : std::uint8_t {
  unknown,
  given_peak,  // computed from the number of operations and a peak that the user gives
  roofline,
  systolic,
  measured,      // the very shape was measured
  interpolated,  // between two measured shapes
  nearest_rate   // at the rate of the measured shape that is closest
};
inline constexpr std::array<EnumName<CostSource>, 7> cost_source_words{{
    {"unknown", CostSource::unknown},
    {"given-peak", CostSource::given_peak},
    {"roofline", CostSource::roofline},
    {"systolic", CostSource::systolic},
    {"measured", CostSource::measured},
    {"interpolated", CostSource::interpolated},
    {"nearest-rate", CostSource::nearest_rate},
}};

// The part of the device that takes most of the time.
enum class Limit : std::uint8_t {
  unknown,
  matrix_units,
  vector_units,
  systolic_arrays,
  main_memory,
  loading,  // from cache into processors
  filling,  // of tiles' or arrays' pipelines, and writing their results
  launch
};
inline constexpr std::array<EnumName<Limit>, 8> limit_words{{
    {"unknown", Limit::unknown},
    {"matrix-units", Limit::matrix_units},
    {"vector-units", Limit::vector_units},
    {"systolic-arrays", Limit::systolic_arrays},
    {"main-memory", Limit::main_memory},
    {"loading", Limit::loading},
    {"filling", Limit::filling},
    {"launch", Limit::launch},
}};

// A reason why an operator takes longer than on an ideal device. The losses are added in this order.
enum class Loss : std::uint8_t {
  rates,         // units and main memory do not reach their peaks at best
  other_units,   // vector units compute it in place of matrix units
  edges,         // tiles or folds hang over the edges of the matrices
  last_wave,     // the last wave of tiles leaves processors idle
  loading,       // operands come from cache into processors
  filling,       // pipelines of tiles or arrays are filled and emptied
  overlap,       // the shorter of computing and moving data does not hide behind the other
  partial_sums,  // several processors share a tile, and their sums are added up
  alignment,     // rows do not begin at multiples of 16 bytes
  launch,        // until the first instruction, and back
  unexplained    // of measured times, and of models that do not explain themselves
};
inline constexpr std::array<EnumName<Loss>, 11> loss_words{{
    {"rates", Loss::rates},
    {"other-units", Loss::other_units},
    {"edges", Loss::edges},
    {"last-wave", Loss::last_wave},
    {"loading", Loss::loading},
    {"filling", Loss::filling},
    {"overlap", Loss::overlap},
    {"partial-sums", Loss::partial_sums},
    {"alignment", Loss::alignment},
    {"launch", Loss::launch},
    {"unexplained", Loss::unexplained},
}};

// How a product is cut into tiles, one per processor at a time.
struct TileUse {
  Tile tile;
  int split_k = 1;       // processors that share a tile
  double waves = 0;      // of tiles
  double last_wave = 0;  // share of the processors that have a tile in the last wave
  double covered = 0;    // share of the tiles' area that is part of the output
  double k_covered = 0;  // share of the steps along K that is part of the operands
};

// How a product is cut into folds of a systolic array. Where there are several arrays, this is about the one
// that has most to do.
struct FoldUse {
  double folds = 0;
  double mapped = 0;     // share of the units that a fold uses, on average
  double streaming = 0;  // share of the cycles in which operands stream; the rest fills and empties the array
};

struct CostExplanation {
  OperatorCost cost;
  CostSource source = CostSource::unknown;
  Limit limit = Limit::unknown;
  // The time of a device that computes at the peak, moves data at the memory's whole bandwidth meanwhile,
  // and loses nothing.
  double ideal_seconds = 0;
  std::array<double, loss_words.size()> lost{};  // seconds; with the ideal ones they add up to cost.seconds
  std::optional<TileUse> tiles;
  std::optional<FoldUse> folds;

  double lost_to(Loss loss) const { return lost[static_cast<std::size_t>(loss)]; }
  double& lost_to(Loss loss) { return lost[static_cast<std::size_t>(loss)]; }
  Loss largest_loss() const;
};

// Goes from what an ideal device takes to what an operator does take, loss by loss.
class LossChain {
 public:
  LossChain(CostExplanation& explanation, double ideal_seconds)
      : explanation_(explanation), seconds_(ideal_seconds) {
    explanation_.ideal_seconds = ideal_seconds;
  }

  // Says how long the operator takes with this loss and those before it.
  void add(Loss loss, double seconds) {
    explanation_.lost_to(loss) += seconds - seconds_;
    seconds_ = seconds;
  }

 private:
  CostExplanation& explanation_;
  double seconds_;
};

// Replaces the operator's time by one from another source. The losses that were found for the computed time
// no longer hold and are dropped; the ideal device's time stays.
void take_time_of(CostExplanation& explanation, CostSource source, double seconds);

}  // namespace orrery::core
