// Applies the scale factors of the layer table (docs/models/training-loops.md, Scaling).
#pragma once

#include "base/dialect.hpp"
#include "base/units/bytes.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// Throw InputError when the result is out of range. In single-precision dialects both value (in whole
// nanoseconds) and factor are rounded to binary32, and the product, which is binary32 again, is cut to an
// integer, also with a factor of 1.
Time scaled(Time value, double factor, const Dialect& dialect);
Bytes scaled(Bytes value, double factor, const Dialect& dialect);

struct Scales {
  double compute = 1;
  double communication = 1;
};

// Returns the table with the times and sizes that are simulated. Delays are never scaled.
LayerTable scaled(LayerTable table, const Scales& scales, const Dialect& dialect);

}  // namespace orrery::core
