#include "report/accuracy/likeness.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::core {

double likeness(const Properties& properties, const RunProperties& a, const RunProperties& b) {
  double distance = 0, factor = 1;
  for (std::size_t i = 0; i < properties.numbers.size(); ++i)
    distance += std::abs(a.logarithms[i] - b.logarithms[i]) / properties.numbers[i].scale;
  for (std::size_t i = 0; i < properties.words.size(); ++i)
    if (a.words[i] != b.words[i]) factor *= properties.words[i].factor;
  return std::exp(-distance) * factor;
}

double peak_of_products(const Device& device) {
  return std::max(device.product_peak(Datatype::bf16), device.product_peak(Datatype::fp16));
}

double bandwidth_of_memory(const Device& device) {
  return device.memory_bandwidth.bytes_per_ns();
}

}  // namespace orrery::core
