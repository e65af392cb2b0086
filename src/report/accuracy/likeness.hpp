// Says how alike two predicted runs are, so that the errors of measured runs tell about a run that nobody has
// measured (docs/models/accuracy.md).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/device.hpp"

namespace orrery::core {

// A number on which the error of a prediction depends. Two runs are e times less alike where its natural
// logarithms differ by `scale`.
struct NumberProperty {
  std::string_view column;  // of the files of measured errors
  double scale;
  // Computes the number from the device that the column names. Null: the column has the number itself.
  double (*of_device)(const Device& device) = nullptr;
};

// A word likewise. Two runs are `factor` times as alike where it differs.
struct WordProperty {
  std::string_view column;
  double factor;
};

// The properties that count for one kind of prediction.
struct Properties {
  std::span<const NumberProperty> numbers;
  std::span<const WordProperty> words;
};

// The values of such properties for a run, in their order.
struct RunProperties {
  std::vector<double> logarithms;
  std::vector<std::string> words;
};

// Returns a number from 0 to 1, which is 1 where the two do not differ. Both have these properties.
double likeness(const Properties& properties, const RunProperties& a, const RunProperties& b);

// Return what a device can do: operations per second of products in 16 bits, and bytes per nanosecond of its
// memory.
double peak_of_products(const Device& device);
double bandwidth_of_memory(const Device& device);

}  // namespace orrery::core
