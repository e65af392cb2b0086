#include "report/run_comparisons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "report/csv_cell.hpp"

namespace orrery {

namespace {

std::string_view unit_of(ComparedQuantity quantity) {
  return quantity == ComparedQuantity::speedup ? "x" : "%";
}

// By how much a time that is as much longer than another differs from the one measured: in the quantity
// itself where it is a ratio, else in 1 + overhead or 1 - reduction.
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
  return 0;
}

// "1.62x", "< 1.5x".
std::string measured_text(const RunComparison& comparison) {
  if (!comparison.measured) return {};
  const auto& [relation, value] = *comparison.measured;
  const std::string bound =
      relation == Relation::equal ? "" : fmt::format("{} ", word_of(relation_words, relation));
  return fmt::format("{}{}{}", bound, value, unit_of(comparison.quantity));
}

std::string verdict(const RunComparison& comparison, double simulated) {
  if (!comparison.measured) return {};
  if (comparison.measured->relation == Relation::equal)
    return fmt::format("{:+.1f}%", error_percent(comparison, simulated));
  return keeps_bound(*comparison.measured, simulated) ? "kept" : "not kept";
}

}  // namespace

std::optional<double> compared(const RunComparison& comparison, const std::vector<RunRow>& runs) {
  const RunRow &run = runs[comparison.run], &baseline = runs[comparison.baseline];
  if (!run.error.empty() || !baseline.error.empty()) return {};
  if (run.total == Time() || baseline.total == Time()) return {};
  const double ratio = run.total.ns() / (comparison.work * baseline.total.ns());
  switch (comparison.quantity) {
    case ComparedQuantity::speedup:
      return 1 / ratio;
    case ComparedQuantity::overhead:
      return (ratio - 1) * 100;
    case ComparedQuantity::reduction:
      return (1 - ratio) * 100;
  }
  return {};
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

std::string comparisons_table(const std::vector<RunComparison>& comparisons,
                              const std::vector<RunRow>& runs) {
  if (comparisons.empty()) return {};
  std::size_t width = 3, baseline_width = 8;
  for (const RunComparison& comparison : comparisons) {
    width = std::max(width, runs[comparison.run].name.size());
    baseline_width = std::max(baseline_width, runs[comparison.baseline].name.size());
  }
  std::string text = fmt::format("\n{:<{}}  {:<{}}  {:<9} {:>10} {:>10}\n", "run", width, "baseline",
                                 baseline_width, "quantity", "simulated", "measured");
  for (const RunComparison& comparison : comparisons) {
    const std::optional<double> simulated = compared(comparison, runs);
    std::string line = fmt::format(
        "{:<{}}  {:<{}}  {:<9} {:>10} {:>10}  {}", runs[comparison.run].name, width,
        runs[comparison.baseline].name, baseline_width, word_of(compared_quantity_words, comparison.quantity),
        simulated ? fmt::format("{:.2f}{}", *simulated, unit_of(comparison.quantity)) : "failed",
        measured_text(comparison), simulated ? verdict(comparison, *simulated) : "");
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string comparisons_csv(const std::vector<RunComparison>& comparisons, const std::vector<RunRow>& runs) {
  std::string text = "run,baseline,work,quantity,simulated,relation,measured,error_pct,kept\n";
  for (const RunComparison& comparison : comparisons) {
    const std::optional<double> simulated = compared(comparison, runs);
    const bool equal = comparison.measured && comparison.measured->relation == Relation::equal;
    const bool judged = simulated && comparison.measured;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{}\n",
                   csv_cell(runs[comparison.run].name), csv_cell(runs[comparison.baseline].name),
                   comparison.work, word_of(compared_quantity_words, comparison.quantity),
                   simulated ? fmt::format("{}", *simulated) : "",
                   comparison.measured ? word_of(relation_words, comparison.measured->relation) : "",
                   comparison.measured ? fmt::format("{}", comparison.measured->value) : "",
                   judged && equal ? fmt::format("{:.3f}", error_percent(comparison, *simulated)) : "",
                   judged && !equal ? (keeps_bound(*comparison.measured, *simulated) ? "yes" : "no") : "");
  }
  return text;
}

}  // namespace orrery
