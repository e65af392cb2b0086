// The errors of runs that were measured, which come with the program (share/orrery/accuracy), and how far off
// they let expect a prediction to be: conformal prediction with weights (Barber et al., "Conformal prediction
// beyond exchangeability", Annals of Statistics 2023; docs/models/accuracy.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/accuracy/error_interval.hpp"
#include "report/accuracy/likeness.hpp"

namespace orrery::core {

// Nothing was fitted to the run that an error is of: its constants are those that other runs give.
struct MeasuredError {
  RunProperties of;
  double log_ratio = 0;    // natural logarithm of the measured value divided by the predicted one
  std::string source, id;  // where the measurement comes from, and which row of it this is
};

class MeasuredErrors {
 public:
  // `properties` has to outlive the errors.
  MeasuredErrors(const Properties& properties, std::vector<MeasuredError> errors);

  // Returns the errors, the least first.
  const std::vector<MeasuredError>& all() const { return errors_; }
  const Properties& properties() const { return properties_; }

  // Returns the weight of each of these for a run: its likeness, divided by the root of how many rows its
  // source has. Rows of one source share what is wrong with it, but many say more than one.
  std::vector<double> weights_for(const RunProperties& run) const;

  // Requires 0 < share < 1. Where no error is of a run that is alike, the interval is wide. It has the
  // prediction itself in it.
  ErrorInterval interval_for(const RunProperties& run, double share) const;

 private:
  struct Distance {
    double from_source;  // how far an error is from the median of its source
    std::size_t error;
  };

  Properties properties_;
  std::vector<MeasuredError> errors_;
  std::vector<double> source_weight_;  // by error
  std::vector<Distance> distances_;    // of sources with several rows, the least first
};

// Reads such errors from a table whose columns are those of the properties, `log_ratio`, `source` and `id`.
// Throws InputError.
MeasuredErrors read_measured_errors(const Properties& properties, std::string_view text,
                                    const std::string& file);

// Reads the table of that name, such as "training", that comes with the program.
MeasuredErrors measured_errors_named(const Properties& properties, std::string_view name);

}  // namespace orrery::core
