#include "report/compare/run_comparisons.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/diagnostics/unreachable.hpp"

namespace orrery::core {

struct ComparisonRow {
  const RunComparison& of;
  std::string_view run, baseline;
  std::optional<double> simulated;

  bool equality() const { return of.measured && of.measured->relation == Relation::equal; }
};

namespace {

std::string_view unit_of(ComparedQuantity quantity) {
  return quantity == ComparedQuantity::speedup ? "x" : "%";
}

// Returns by how many percent the simulated ratio of times is above the measured one. If the quantity is a
// ratio, it is that ratio; otherwise the ratio is 1 + overhead or 1 - reduction.
double error_percent(const RunComparison& comparison, double simulated) {
  const double measured = comparison.measured->value;
  switch (comparison.quantity) {
    case ComparedQuantity::speedup:
      return (simulated / measured - 1) * 100;
    case ComparedQuantity::overhead:
      return ((100 + simulated) / (100 + measured) - 1) * 100;
    case ComparedQuantity::reduction:
      return ((100 - simulated) / (100 - measured) - 1) * 100;
  }
  unreachable("the error of every compared quantity has a formula");
}

// "1.62x", "< 1.5x".
std::string measured_text(const RunComparison& comparison) {
  if (!comparison.measured) return {};
  const auto& [relation, value] = *comparison.measured;
  const std::string bound =
      relation == Relation::equal ? "" : fmt::format("{} ", word_of(relation_words, relation));
  return fmt::format("{}{}{}", bound, value, unit_of(comparison.quantity));
}

std::string verdict(const ComparisonRow& row) {
  if (!row.simulated || !row.of.measured) return {};
  if (row.equality()) return fmt::format("{:+.1f}%", error_percent(row.of, *row.simulated));
  return keeps_bound(*row.of.measured, *row.simulated) ? "kept" : "not kept";
}

std::string simulated_text(const ComparisonRow& row) {
  return row.simulated ? fmt::format("{:.2f}{}", *row.simulated, unit_of(row.of.quantity)) : "failed";
}

constexpr Column<ComparisonRow> comparison_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return row.run; }, "run"},
    {"baseline", "", "Name of the run that it is compared with.", [](auto& row) { return row.baseline; },
     "baseline"},
    {"work", "", "How many times as much work the run does, as the experiment states it.",
     [](auto& row) { return row.of.work; }},
    {"quantity", "", "Quantity that is compared: `speedup`, `overhead` or `reduction`.",
     [](auto& row) { return word_of(compared_quantity_words, row.of.quantity); }, "quantity"},
    {"simulated", "",
     "Simulated value of the quantity, a ratio or a percentage. The cell is empty if one of the runs failed.",
     [](auto& row) { return row.simulated; }},
    {"", "", "", [](auto& row) { return simulated_text(row); }, "simulated"},
    {"relation", "", "What the measurement says, if there is one: `=`, or a bound such as `<`.",
     [](auto& row) {
       return row.of.measured ? std::optional(word_of(relation_words, row.of.measured->relation))
                              : std::nullopt;
     }},
    {"measured", "", "Measured value of the quantity.",
     [](auto& row) { return row.of.measured ? std::optional(row.of.measured->value) : std::nullopt; }},
    {"", "", "", [](auto& row) { return measured_text(row.of); }, "measured"},
    {"error_pct", "%",
     "For equalities: by how much the simulated ratio is larger than the measured one. For overheads and "
     "reductions the ratio is that of the times.",
     [](auto& row) {
       return row.simulated && row.equality() ? std::optional(Real{error_percent(row.of, *row.simulated), 3})
                                              : std::nullopt;
     }},
    {"kept", "", "For bounds: `yes` if the simulated value keeps the bound, else `no`.",
     [](auto& row) {
       if (!row.simulated || !row.of.measured || row.equality()) return std::optional<std::string_view>();
       return std::optional<std::string_view>(keeps_bound(*row.of.measured, *row.simulated) ? "yes" : "no");
     }},
    {"", "", "", [](auto& row) { return verdict(row); }, "error"},
};

std::vector<ComparisonRow> rows_of(const std::vector<RunComparison>& comparisons,
                                   const std::vector<RunRow>& runs) {
  std::vector<ComparisonRow> rows;
  for (const RunComparison& comparison : comparisons)
    rows.push_back(
        {comparison, runs[comparison.run].name, runs[comparison.baseline].name, compared(comparison, runs)});
  return rows;
}

}  // namespace

std::optional<double> compared(const RunComparison& comparison, const std::vector<RunRow>& runs) {
  const RunRow &run = runs[comparison.run], &baseline = runs[comparison.baseline];
  if (!run.error.empty() || !baseline.error.empty()) return {};
  if (run.total == Time() || baseline.total == Time()) return {};
  const bool by_epoch = run.epoch_seconds && baseline.epoch_seconds;
  const double ratio = by_epoch ? *run.epoch_seconds / (comparison.work * *baseline.epoch_seconds)
                                : run.total.ns() / (comparison.work * baseline.total.ns());
  switch (comparison.quantity) {
    case ComparedQuantity::speedup:
      return 1 / ratio;
    case ComparedQuantity::overhead:
      return (ratio - 1) * 100;
    case ComparedQuantity::reduction:
      return (1 - ratio) * 100;
  }
  unreachable("every compared quantity has a formula");
}

bool keeps_bound(const Measured& measured, double simulated) {
  switch (measured.relation) {
    case Relation::below:
      return simulated < measured.value;
    case Relation::at_most:
      return simulated <= measured.value;
    case Relation::above:
      return simulated > measured.value;
    case Relation::at_least:
      return simulated >= measured.value;
    case Relation::equal:
      break;
  }
  return simulated == measured.value;
}

const Table<ComparisonRow> comparison_table(comparison_columns);

std::string comparisons_table(const std::vector<RunComparison>& comparisons,
                              const std::vector<RunRow>& runs) {
  return comparisons.empty() ? "" : "\n" + text_of(comparison_table, rows_of(comparisons, runs));
}

TableRows comparisons_rows(const std::vector<RunComparison>& comparisons, const std::vector<RunRow>& runs) {
  return {comparison_table, rows_of(comparisons, runs)};
}

}  // namespace orrery::core
