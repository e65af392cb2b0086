#include "report/accuracy/measured_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/files/embedded_file.hpp"
#include "base/input/csv_rows.hpp"
#include "compute/device_file.hpp"

namespace orrery::core {

namespace {

// A run that is like none that was measured is expected to take between 1 / 1.49 and 1.49 times the
// prediction. This counts nearly as much as one measured run that differs in nothing.
constexpr double unknown_error = 0.4;
constexpr double unknown_weight = 0.7;

constexpr double most_log_ratio = 10, largest_number = 1e18;
constexpr std::string_view log_ratio_column = "log_ratio", source_column = "source", id_column = "id";

// Reads rows of one table. Each device is read once.
class ErrorReader {
 public:
  explicit ErrorReader(const Properties& properties) : properties_(properties) {}

  std::vector<std::string_view> columns() const {
    std::vector<std::string_view> columns{log_ratio_column, source_column, id_column};
    for (const NumberProperty& number : properties_.numbers)
      if (std::ranges::find(columns, number.column) == columns.end()) columns.push_back(number.column);
    for (const WordProperty& word : properties_.words) columns.push_back(word.column);
    return columns;
  }

  MeasuredError error_of(const InputNode& row) {
    MeasuredError error;
    for (const NumberProperty& number : properties_.numbers)
      error.of.logarithms.push_back(std::log(number_of_row(row, number)));
    for (const WordProperty& word : properties_.words)
      error.of.words.push_back(text_of_row(row, word.column));
    error.log_ratio = real_of(cell(row, log_ratio_column), log_ratio_column, -most_log_ratio, most_log_ratio);
    error.source = text_of_row(row, source_column);
    error.id = text_of_row(row, id_column);
    return error;
  }

 private:
  static const InputNode& cell(const InputNode& row, std::string_view column) {
    return required(row, "a measured error", column);
  }
  static std::string text_of_row(const InputNode& row, std::string_view column) {
    return scalar_of(cell(row, column), column);
  }
  double number_of_row(const InputNode& row, const NumberProperty& number) {
    const InputNode& value = cell(row, number.column);
    if (!number.of_device) return real_of(value, number.column, 1 / largest_number, largest_number);
    const auto [device, is_new] = devices_.try_emplace(scalar_of(value, number.column));
    if (is_new) device->second = find_device(device->first, value.where, no_files());
    return number.of_device(device->second);
  }

  const Properties& properties_;
  std::map<std::string, Device> devices_;
};

// Values with weights, the least first.
class Weighed {
 public:
  void append(double value, double weight) {
    values_.push_back({value, weight});
    total_ += weight;
  }
  void insert(double value, double weight) {
    values_.insert(std::ranges::upper_bound(values_, value, {}, &One::value), {value, weight});
    total_ += weight;
  }
  // Returns the least value such that a share of all weights is at it or below.
  double quantile(double share) const {
    double sum = 0;
    for (const One& one : values_)
      if (sum += one.weight; sum >= share * total_) return one.value;
    return values_.back().value;
  }

 private:
  struct One {
    double value, weight;
  };
  std::vector<One> values_;
  double total_ = 0;
};

}  // namespace

MeasuredErrors::MeasuredErrors(const Properties& properties, std::vector<MeasuredError> errors)
    : properties_(properties), errors_(std::move(errors)) {
  std::ranges::stable_sort(errors_, {}, &MeasuredError::log_ratio);
  std::map<std::string_view, std::vector<std::size_t>> sources;
  for (std::size_t i = 0; i < errors_.size(); ++i) sources[errors_[i].source].push_back(i);
  for (const MeasuredError& error : errors_)
    source_weight_.push_back(1 / std::sqrt(static_cast<double>(sources[error.source].size())));
  for (const auto& [name, rows] : sources)
    if (rows.size() > 1)
      for (const std::size_t i : rows)
        distances_.push_back({std::abs(errors_[i].log_ratio - errors_[rows[rows.size() / 2]].log_ratio), i});
  std::ranges::stable_sort(distances_, {}, &Distance::from_source);
}

std::vector<double> MeasuredErrors::weights_for(const RunProperties& run) const {
  std::vector<double> weights;
  weights.reserve(errors_.size());
  for (std::size_t i = 0; i < errors_.size(); ++i)
    weights.push_back(likeness(properties_, errors_[i].of, run) * source_weight_[i]);
  return weights;
}

ErrorInterval MeasuredErrors::interval_for(const RunProperties& run, double share) const {
  const std::vector<double> weights = weights_for(run);
  Weighed errors, distances;
  for (std::size_t i = 0; i < errors_.size(); ++i) errors.append(errors_[i].log_ratio, weights[i]);
  for (const double unknown : {-unknown_error, unknown_error}) errors.insert(unknown, unknown_weight / 2);
  for (const Distance& distance : distances_) distances.append(distance.from_source, weights[distance.error]);
  distances.insert(unknown_error, unknown_weight);
  return {share, std::exp(std::min(0.0, errors.quantile((1 - share) / 2))),
          std::exp(std::max(0.0, errors.quantile((1 + share) / 2))), std::exp(distances.quantile(share))};
}

MeasuredErrors read_measured_errors(const Properties& properties, std::string_view text,
                                    const std::string& file) {
  ErrorReader reader(properties);
  const std::vector<std::string_view> columns = reader.columns();
  std::vector<MeasuredError> errors;
  for (const InputNode& row : csv_rows(text, file, "measured errors", columns, columns))
    errors.push_back(reader.error_of(row));
  return {properties, std::move(errors)};
}

MeasuredErrors measured_errors_named(const Properties& properties, std::string_view name) {
  const std::string file = fmt::format("accuracy/{}.csv", name);
  return read_measured_errors(properties, embedded_file(file).value(), file);
}

}  // namespace orrery::core
