// The points of a sweep: the combinations of values that are simulated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/database/database.hpp"
#include "base/progress.hpp"
#include "study/space/sweep_space.hpp"

namespace orrery::core {

// Says for points whether an expression over the keys of a sweep is true. It is used by one thread at a time.
class PointCondition {
 public:
  // Throws InputError where the text is no such expression.
  PointCondition(const SweepSpace& space, const SweepCondition& condition);
  bool holds(const SweepPoint& point);

 private:
  Database database_;
  std::optional<Statement> statement_;
  std::vector<std::size_t> keys_;  // that the expression names, in the order of its parameters
};

// A sweep may have more points than fit into memory, so that they are made when they are asked for, and only
// their numbers are kept. Equal spaces have equal points.
class SweepPoints {
 public:
  // Most combinations that are gone through for those that meet the conditions.
  static constexpr std::size_t most_combinations = 100'000'000;

  // Keeps a reference to the space. Throws InputError where there are more combinations than that, where no
  // point meets the conditions, and where a sample finds fewer than it is asked for.
  explicit SweepPoints(const SweepSpace& space, const StepListener& progress = {});

  std::size_t size() const { return numbers_.size(); }
  // Several threads may ask at a time.
  SweepPoint at(std::size_t index) const { return drawn(numbers_[index]); }

 private:
  void go_through_all(const StepListener& progress);
  void draw_at_random(const StepListener& progress);
  void cut_into_strata();
  bool meets_all(const SweepPoint& point);
  SweepPoint drawn(std::size_t number) const;
  double fraction_of(std::size_t number, std::size_t axis) const;

  const SweepSpace& space_;
  std::vector<PointCondition> conditions_;
  std::vector<std::size_t> numbers_;
  std::vector<std::vector<std::uint32_t>> strata_;  // of a Latin hypercube: by axis, then by point
};

}  // namespace orrery::core
