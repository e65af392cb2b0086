#include "collective/plan/themis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace orrery::core {

namespace {

constexpr double mib = 1048576.0;

// Rounds toward zero. The largest number of bytes, which no chunk can reach, stands for everything beyond it.
Bytes truncate(double bytes) {
  return Bytes(bytes < 9.0e18 ? static_cast<std::uint64_t>(bytes) : std::uint64_t{9'000'000'000'000'000'000});
}

}  // namespace

Themis::Themis(std::vector<int> sizes, const std::vector<double>& bandwidths, int gap_denominator,
               bool flexible, const Dialect& dialect)
    : sizes_(std::move(sizes)),
      gap_denominator_(gap_denominator),
      flexible_(flexible),
      mirrors_gathers_(dialect.themis_mirrors_gathers),
      idle_dimensions_count_(dialect.idle_dimensions_count) {
  std::size_t first = 0;
  while (!idle_dimensions_count_ && first + 1 < sizes_.size() && sizes_[first] == 1) ++first;
  for (const double bandwidth : bandwidths) bandwidth_ratios_.push_back(bandwidth / bandwidths[first]);
  reset();
}

void Themis::reset() {
  loads_.clear();
  for (int d = 0; d < static_cast<int>(sizes_.size()); ++d) loads_.push_back({d, 0.0});
}

Bytes Themis::grow(Load& load, int dimension, Bytes bytes, bool gather) {
  const double n = sizes_[dimension];
  const double share =
      gather ? (bytes.as_double() / mib) * (n - 1) : (bytes.as_double() / mib) * ((n - 1) / n);
  load.value += share / bandwidth_ratios_[dimension];
  return gather ? bytes * sizes_[dimension] : bytes / sizes_[dimension];
}

Bytes Themis::gap(std::size_t first, const DimensionSet& dimensions, bool gather) const {
  const Load& from = loads_[first];
  std::size_t last = loads_.size() - 1;
  if (gather || !idle_dimensions_count_)
    while (!takes_part(loads_[last].dimension, dimensions)) --last;
  if (!gather) {
    const double n = sizes_[from.dimension];
    const double distance = std::fabs(loads_[last].value - from.value);
    return truncate(((distance * bandwidth_ratios_[from.dimension]) / ((n - 1) / n)) * mib);
  }
  const int far = loads_[last].dimension;
  const double distance = std::fabs(loads_[last].value - from.value);
  Bytes bytes = truncate(((distance * bandwidth_ratios_[far]) / (sizes_[far] - 1)) * mib);
  for (std::size_t i = last; i-- > first;) {
    if (takes_part(loads_[i].dimension, dimensions)) bytes = bytes / sizes_[loads_[i].dimension];
  }
  return bytes;
}

// The loads are too even for a choice to gain anything. Gathers visit the dimensions in descending order,
// because they grow on their way; the others in ascending order. In the reference gathers ascend, too, and
// their loads are booked on the mirrored dimensions.
std::vector<int> Themis::plain_order(const DimensionSet& dimensions, Bytes bytes, bool gather) {
  std::sort(loads_.begin(), loads_.end(),
            [](const Load& a, const Load& b) { return a.dimension < b.dimension; });
  std::vector<int> order(sizes_.size());
  std::iota(order.begin(), order.end(), 0);
  if (gather && mirrors_gathers_) std::reverse(loads_.begin(), loads_.end());
  if (gather && !mirrors_gathers_) std::reverse(order.begin(), order.end());
  for (int d : order) {
    if (takes_part(d, dimensions)) bytes = grow(loads_[d], d, bytes, gather);
  }
  return order;
}

double Themis::largest_load() const {
  return std::max_element(loads_.begin(), loads_.end(),
                          [](const Load& a, const Load& b) { return a.value < b.value; })
      ->value;
}

Themis::Choice Themis::next_chunk(CollectiveKind kind, const DimensionSet& dimensions, Bytes rest,
                                  Bytes preferred) {
  const bool gather = kind == CollectiveKind::all_gather;
  if (!gather || mirrors_gathers_) return balancing_chunk(gather, dimensions, rest, preferred);
  // A gather that grows and goes over slow links first may cost more than even loads gain.
  const Loads before = loads_;
  Choice choice = balancing_chunk(gather, dimensions, rest, preferred);
  const double largest = largest_load();
  const Loads balanced = std::exchange(loads_, before);
  std::vector<int> plain = plain_order(dimensions, flexible_ ? choice.bytes : preferred, gather);
  if (largest_load() < largest)
    choice.order = std::move(plain);
  else
    loads_ = balanced;
  return choice;
}

// Returns the order that evens out the loads, if that is worth it.
Themis::Choice Themis::balancing_chunk(bool gather, const DimensionSet& dimensions, Bytes rest,
                                       Bytes preferred) {
  std::stable_sort(loads_.begin(), loads_.end(),
                   [](const Load& a, const Load& b) { return a.value < b.value; });
  if (gather) std::reverse(loads_.begin(), loads_.end());

  Choice choice{std::min(rest, preferred), {}};
  Bytes bytes = preferred;
  bool first = true;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const int dimension = loads_[i].dimension;
    if (takes_part(dimension, dimensions)) {
      if (first) {
        const Bytes gained = gap(i, dimensions, gather);
        const bool too_even = flexible_ ? gained < preferred : gained < preferred / gap_denominator_;
        if (too_even)
          return {choice.bytes, plain_order(dimensions, flexible_ ? choice.bytes : preferred, gather)};
        if (flexible_) {
          choice.bytes = std::min(rest, gained);
          bytes = gained;
        }
        first = false;
      }
      bytes = grow(loads_[i], dimension, bytes, gather);
    }
    choice.order.push_back(dimension);
  }
  return choice;
}

}  // namespace orrery::core
