#include "report/accuracy/accuracy_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text/readable.hpp"

namespace orrery::core {

namespace {

constexpr Column<AccuracyRow> accuracy_columns[] = {
    {"source", "", "Where the measurement comes from.",
     [](auto& row) { return std::string_view(row.error.source); }, "source"},
    {"id", "", "Name of the measurement.", [](auto& row) { return std::string_view(row.error.id); },
     "measurement"},
    {"kind", "", "Words by which such runs are told apart.",
     [](auto& row) { return fmt::format("{}", fmt::join(row.error.of.words, ", ")); }, "kind"},
    {"error_pct", "%", "How much longer the measured time is than the predicted one.",
     [](auto& row) {
       return Real{100 * std::expm1(row.error.log_ratio), 1};
     },
     "longer by %"},
    {"weight_share", "share", "How much the measurement counts among all.",
     [](auto& row) { return row.weight_share; }, "weight"},
};

}  // namespace

const Table<AccuracyRow> accuracy_table(accuracy_columns);

std::vector<AccuracyRow> accuracy_rows(const MeasuredErrors& errors, const RunProperties& run) {
  const std::vector<double> weights = errors.weights_for(run);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  std::vector<AccuracyRow> rows;
  for (const std::size_t i : order) rows.push_back({errors.all()[i], weights[i] / total});
  return rows;
}

std::string accuracy_text(const std::string& run, const MeasuredErrors& errors, const RunProperties& of,
                          double share) {
  constexpr std::size_t shown = 16;
  const ErrorInterval interval = errors.interval_for(of, share);
  std::vector<AccuracyRow> rows = accuracy_rows(errors, of);
  const std::size_t all = rows.size();
  while (rows.size() > shown) rows.pop_back();
  std::string text = wrapped(
      fmt::format(
          "{}: in {:.3g}% of cases a step takes {:.2f} to {:.2f} times as long as predicted. That is "
          "the error of {} measured runs, none of which a constant was fitted to; the more one is like "
          "this run, the more it counts.\n\n",
          run, 100 * share, interval.low, interval.high, all),
      2);
  text += text_of(accuracy_table, rows);
  if (all > shown) text += fmt::format("and {} that count less\n", all - shown);
  return text +
         wrapped(fmt::format("\nTwo layouts on these devices with the same software tie if their times "
                             "differ by less than a factor of {:.2f}.\n",
                             std::pow(interval.between_layouts, std::sqrt(2.0))),
                 2);
}

}  // namespace orrery::core
