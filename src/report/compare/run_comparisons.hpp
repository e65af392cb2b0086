// Compares runs of an experiment with each other, beside measurements: speedups and the like.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "report/summary/run_tables.hpp"
#include "report/table/row_sink.hpp"

namespace orrery::core {

// T is the time until the last NPU ends, or that of an epoch where both runs have one. The run does `work`
// times what its baseline does. Then:
//
//   speedup    work * T(baseline) / T(run)
//   overhead   T(run) / (work * T(baseline)) - 1, in percent
//   reduction  1 - T(run) / (work * T(baseline)), in percent
enum class ComparedQuantity : std::uint8_t { speedup, overhead, reduction };

inline constexpr std::array<EnumName<ComparedQuantity>, 3> compared_quantity_words{{
    {"speedup", ComparedQuantity::speedup},
    {"overhead", ComparedQuantity::overhead},
    {"reduction", ComparedQuantity::reduction},
}};

// The relation of the quantity to the measured value.
enum class Relation : std::uint8_t { equal, below, at_most, above, at_least };

inline constexpr std::array<EnumName<Relation>, 5> relation_words{{
    {"=", Relation::equal},
    {"<", Relation::below},
    {"<=", Relation::at_most},
    {">", Relation::above},
    {">=", Relation::at_least},
}};

struct Measured {
  Relation relation = Relation::equal;
  double value = 0;
};

struct RunComparison {
  std::size_t run = 0, baseline = 0;  // indices into the experiment's runs
  double work = 1;
  ComparedQuantity quantity = ComparedQuantity::speedup;
  std::optional<Measured> measured;
};

// Returns the compared quantity; nothing where one of the runs failed or took no time.
std::optional<double> compared(const RunComparison& comparison, const std::vector<RunRow>& runs);

// Returns whether a simulated value keeps a measured bound. `measured` must not be an equality.
bool keeps_bound(const Measured& measured, double simulated);

struct ComparisonRow;
extern const Table<ComparisonRow> comparison_table;

// Returns a line per comparison, for the terminal. The text is empty without comparisons.
std::string comparisons_table(const std::vector<RunComparison>& comparisons, const std::vector<RunRow>& runs);

// Returns comparisons.csv.
TableRows comparisons_rows(const std::vector<RunComparison>& comparisons, const std::vector<RunRow>& runs);

}  // namespace orrery::core
