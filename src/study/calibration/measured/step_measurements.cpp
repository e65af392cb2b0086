#include "study/calibration/measured/step_measurements.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/input/csv_rows.hpp"
#include "study/run/run.hpp"
#include "study/run/run_pool.hpp"

namespace orrery::core {
namespace {

double step_seconds(const InputNode& node, const KeyFacts& key) {
  constexpr double longest = 1e6;
  const double seconds = number_of(node, key.name);
  if (!(seconds > 0) || seconds > longest) reject_value(node, key.name, "a number of seconds above 0");
  return seconds;
}

constexpr Key<StepRow> step_row_keys[] = {
    key::text<&StepRow::experiment>("experiment", "required",
                                    "experiment file, relative to the folder of the table")
        .of("file"),
    key::text<&StepRow::run>("run", "the only run", "run of that experiment").of("name"),
    key::declared<step_seconds, KeyType::other, &StepRow::seconds>(
        "step_s", "required", "measured time of a training step, or of a step of inference, in seconds")
        .of("above 0"),
    key::ignored("source", "a remark"),
};

double simulated_seconds(const RunSpec& spec) {
  Warnings warnings;  // those of the run as it is are told when it is simulated by itself
  const RunResult result = carry_out(spec, warnings);
  return spec.workload->summary(spec, result).total.ns() * 1e-9 / spec.passes;
}

void require_stack_of_first(const SourceLocation& where, const SoftwareStack& stack,
                            const SoftwareStack& first) {
  if (stack == first) return;
  const std::string difference =
      stack.name == first.name ? fmt::format("both are {}, but with other values", backquoted(stack.name))
                               : fmt::format("{} and not {}", backquoted(stack.name), backquoted(first.name));
  throw InputError(
      where, fmt::format("this run has another stack than the first one, {}; calibrate one stack at a time",
                         difference));
}

}  // namespace

std::vector<StepRow> read_step_table(std::string_view text, const std::string& file) {
  return read_csv_rows<StepRow>(text, file, "steps", step_row_keys);
}

std::vector<KeyPath> step_table_columns() {
  return key_paths("", step_row_keys);
}

StepMeasurements::StepMeasurements(const std::vector<StepRow>& rows,
                                   const std::vector<std::string>& overrides, int threads,
                                   const FileLoader& load)
    : threads_(threads) {
  for (const StepRow& row : rows) {
    const std::filesystem::path folder = std::filesystem::path(row.where.file).parent_path();
    steps_.push_back({row.run.empty() ? row.experiment : row.experiment + ' ' + row.run,
                      std::make_unique<const ChangedStack>((folder / row.experiment).string(), overrides,
                                                           row.run, row.where, load),
                      row.seconds});
    require_stack_of_first(row.where, steps_.back().stack->stack(), first().stack());
  }
}

std::string StepMeasurements::described() const {
  return fmt::format("{} step{}", steps_.size(), steps_.size() == 1 ? "" : "s");
}

std::string StepMeasurements::row_name(std::size_t row) const {
  return steps_[row].name;
}

std::vector<double> StepMeasurements::errors(const ConstantValues& values, const StepListener& tell) const {
  std::vector<double> errors(steps_.size());
  run_in_order(
      steps_.size(), threads_,
      [&](std::size_t i) {
        const RunSpec spec = steps_[i].stack->with(constants(), values);
        errors[i] = std::log(simulated_seconds(spec) / steps_[i].seconds);
      },
      [&](std::size_t i) {
        if (tell) tell(i + 1, rows(), "steps");
      });
  return errors;
}

}  // namespace orrery::core
