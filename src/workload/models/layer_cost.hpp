// Turns operation and element counts of a layer into the times and sizes of a layer table.
#pragma once

#include "base/bytes.hpp"
#include "base/diagnostics.hpp"
#include "base/time.hpp"

namespace orrery {

class LayerCost {
 public:
  // Throws InputError when one of them is not above zero.
  LayerCost(double flops_per_second, int bytes_per_element, const SourceLocation& where);

  // Rounded to whole nanoseconds, the layer table's unit.
  Time time(double operations) const;
  Bytes bytes(double elements) const;

 private:
  double flops_per_second_;
  int bytes_per_element_;
  SourceLocation where_;
};

}  // namespace orrery
