// Keeps values that are named by numbers, such as what an event is about. When a value has been taken its
// number is used again, so there are never more numbers than values were kept at once.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace orrery::core {

template <class T>
class Numbered {
 public:
  // Returns the number by which the value is found until it is taken.
  std::uint32_t keep(T value) {
    if (unused_.empty()) {
      values_.push_back(std::move(value));
      return static_cast<std::uint32_t>(values_.size() - 1);
    }
    const std::uint32_t number = unused_.back();
    unused_.pop_back();
    values_[number] = std::move(value);
    return number;
  }
  // The number must be of a value that is kept. References are valid until the next keep().
  T& operator[](std::uint32_t number) { return values_[number]; }
  const T& operator[](std::uint32_t number) const { return values_[number]; }
  T take(std::uint32_t number) {
    unused_.push_back(number);
    return std::move(values_[number]);
  }

 private:
  std::vector<T> values_;
  std::vector<std::uint32_t> unused_;  // numbers
};

}  // namespace orrery::core
