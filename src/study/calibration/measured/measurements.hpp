// What users have measured, and what the model says of it with other constants.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "study/calibration/constants.hpp"

namespace orrery::core {

// Measured times of one kind. All are of one machine.
class Measurements {
 public:
  virtual ~Measurements() = default;

  // Returns how many there are, for people, such as "12 steps".
  virtual std::string described() const = 0;
  virtual std::size_t rows() const = 0;
  // Returns what was measured in a row, for people, such as "mine.yaml small".
  virtual std::string row_name(std::size_t row) const = 0;
  // Returns the constants that such times may tell, and their values on the machine as it is.
  virtual std::span<const Constant> constants() const = 0;
  virtual ConstantsOf machine() const = 0;
  // Returns the logarithm of simulated over measured time of each row, with these values of all constants.
  // `tell`, which may be empty, gets how many rows are done, and may throw to end the work. Throws InputError
  // where the machine cannot do what was measured.
  virtual std::vector<double> errors(const ConstantValues& values, const StepListener& tell) const = 0;
};

}  // namespace orrery::core
