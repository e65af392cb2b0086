// Measured training steps, which tell constants of a software stack.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "study/calibration/measured/changed_stack.hpp"
#include "study/calibration/measured/measurements.hpp"

namespace orrery::core {

// A line of a table of measured steps.
struct StepRow {
  std::string experiment, run;  // a file relative to the table's folder; `run` may be empty
  double seconds = 0;
  SourceLocation where;
};

// Reads a CSV file by the rules of csv_rows(). Throws InputError.
std::vector<StepRow> read_step_table(std::string_view text, const std::string& file);
std::vector<KeyPath> step_table_columns();

class StepMeasurements final : public Measurements {
 public:
  // Runs are simulated on so many threads. Keeps a reference to `load`. Throws InputError at the rows whose
  // runs have another stack than the first one's.
  StepMeasurements(const std::vector<StepRow>& rows, const std::vector<std::string>& overrides, int threads,
                   const FileLoader& load);

  const ChangedStack& first() const { return *steps_.front().stack; }
  std::string described() const override;
  std::size_t rows() const override { return steps_.size(); }
  std::string row_name(std::size_t row) const override;
  std::span<const Constant> constants() const override { return step_constants(); }
  ConstantsOf machine() const override { return {nullptr, nullptr, &first().stack()}; }
  std::vector<double> errors(const ConstantValues& values, const StepListener& tell) const override;

 private:
  struct Step {
    std::string name;
    std::unique_ptr<const ChangedStack> stack;
    double seconds;
  };
  std::vector<Step> steps_;
  int threads_;
};

}  // namespace orrery::core
