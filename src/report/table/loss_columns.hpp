// Columns that say why operators take their time, for every table whose rows know an explanation of a cost.
#pragma once

#include <string>

#include <fmt/format.h>

#include "base/diagnostics/unreachable.hpp"
#include "base/units/seconds.hpp"
#include "compute/cost_explanation.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

// row.explanation() has to return a pointer to the explanation. Null: there is none.
template <class Row>
struct LossColumns {
  static constexpr Column<Row> bound() {
    return {"limit", "",
            "What takes most of the time: `matrix-units`, `vector-units`, `systolic-arrays`, `main-memory`, "
            "`loading` of operands from cache, `filling` of the tiles' pipelines, `launch`, or `unknown`.",
            [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return word_of(limit_words, e ? e->limit : Limit::unknown);
            },
            "limit"};
  }
  static constexpr Column<Row> utilization() {
    return {"utilization", "share", "Share of the device's peak that it reaches, for its number format.",
            [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e ? std::optional(Real{e->cost.utilization, 4}) : std::nullopt;
            },
            "of peak"};
  }
  static constexpr Column<Row> ideal() {
    return {
        "ideal_us", "us",
        "Time that an ideal device would take: one that reaches its peaks of computing and of main memory at "
        "the same time. Added to the times that are lost, it gives the time that the device takes.",
        [](auto& row) {
          const CostExplanation* const e = row.explanation();
          return e ? std::optional(Seconds(e->ideal_seconds).rounded()) : std::nullopt;
        }};
  }
  template <Loss loss>
  static constexpr Column<Row> lost() {
    return {name_of_loss(loss), "us", meaning_of_loss(loss), [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e ? std::optional(Seconds(e->lost_to(loss)).rounded()) : std::nullopt;
            }};
  }
  static constexpr Column<Row> tile() {
    return {"tile", "", "Rows and columns of the tiles into which a product is cut.", [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e && e->tiles
                         ? std::optional(fmt::format("{} x {}", e->tiles->tile.rows, e->tiles->tile.columns))
                         : std::nullopt;
            }};
  }
  static constexpr Column<Row> split_k() {
    return {"split_k", "", "Number of processors that share one tile. Each computes a part of K.",
            [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e && e->tiles ? std::optional(e->tiles->split_k) : std::nullopt;
            }};
  }
  static constexpr Column<Row> waves() {
    return {"waves", "", "Number of waves of tiles. In a wave each processor computes one tile.",
            [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e && e->tiles ? std::optional(e->tiles->waves) : std::nullopt;
            }};
  }
  static constexpr Column<Row> last_wave() {
    return {"last_wave", "share", "Share of the processors that have a tile in the last wave.",
            [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e && e->tiles ? std::optional(Real{e->tiles->last_wave, 4}) : std::nullopt;
            }};
  }
  static constexpr Column<Row> covered() {
    return {"covered", "share", "Share of the tiles' area that is part of the output.", [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e && e->tiles ? std::optional(Real{e->tiles->covered, 4}) : std::nullopt;
            }};
  }
  static constexpr Column<Row> k_covered() {
    return {"k_covered", "share",
            "Share of the steps along K, of 64 bytes each, that is part of the operands.", [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e && e->tiles ? std::optional(Real{e->tiles->k_covered, 4}) : std::nullopt;
            }};
  }
  static constexpr Column<Row> folds() {
    return {"folds", "", "Number of folds of the systolic array that has most to do.", [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e && e->folds ? std::optional(e->folds->folds) : std::nullopt;
            }};
  }
  static constexpr Column<Row> mapped() {
    return {"mapped", "share", "Share of the array's units that a fold uses, on average.", [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e && e->folds ? std::optional(Real{e->folds->mapped, 4}) : std::nullopt;
            }};
  }
  static constexpr Column<Row> streaming() {
    return {"streaming", "share",
            "Share of the array's cycles in which operands stream through it. In the others it is filled and "
            "emptied.",
            [](auto& row) {
              const CostExplanation* const e = row.explanation();
              return e && e->folds ? std::optional(Real{e->folds->streaming, 4}) : std::nullopt;
            }};
  }

  static constexpr Column<Row> in_json(Column<Row> column) {
    column.form = Form::json;
    return column;
  }

 private:
  static constexpr std::string_view name_of_loss(Loss loss) {
    switch (loss) {
      case Loss::rates:
        return "lost_rates_us";
      case Loss::other_units:
        return "lost_other_units_us";
      case Loss::edges:
        return "lost_edges_us";
      case Loss::last_wave:
        return "lost_last_wave_us";
      case Loss::loading:
        return "lost_loading_us";
      case Loss::filling:
        return "lost_filling_us";
      case Loss::overlap:
        return "lost_overlap_us";
      case Loss::partial_sums:
        return "lost_partial_sums_us";
      case Loss::alignment:
        return "lost_alignment_us";
      case Loss::launch:
        return "lost_launch_us";
      case Loss::unexplained:
        return "lost_unexplained_us";
    }
    unreachable("every loss has a name");
  }
  static constexpr std::string_view meaning_of_loss(Loss loss) {
    switch (loss) {
      case Loss::rates:
        return "Time lost because units and main memory do not reach their peaks even at best.";
      case Loss::other_units:
        return "Time lost because vector units compute it in place of matrix units.";
      case Loss::edges:
        return "Time lost because tiles or folds hang over the edges of the matrices.";
      case Loss::last_wave:
        return "Time lost because the last wave of tiles leaves processors idle.";
      case Loss::loading:
        return "Time lost to loads from cache into processors.";
      case Loss::filling:
        return "Time lost because pipelines of tiles or arrays are filled and emptied.";
      case Loss::overlap:
        return "Time lost because computing and moving data do not hide each other.";
      case Loss::partial_sums:
        return "Time lost to adding up the sums of processors that share a tile.";
      case Loss::alignment:
        return "Time lost because rows do not begin at multiples of 16 bytes.";
      case Loss::launch:
        return "Time lost to launching the operator.";
      case Loss::unexplained:
        return "Time lost to nothing that is known, which measured times may hold.";
    }
    unreachable("every loss has a meaning");
  }
};

}  // namespace orrery::core
