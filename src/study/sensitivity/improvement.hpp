// The ways in which a value of a machine gets better: a bandwidth grows, a latency shrinks, an algorithm
// becomes another one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"

namespace orrery::core {

// One way in which a value gets better.
class Improvement {
 public:
  // Returns the ways in which a value at a key can get better, as the key's declaration says. Where there is
  // no declaration (null), the value's unit says it. There is no way for texts and zeros, nor for sizes whose
  // declarations state none.
  static std::vector<Improvement> of(const std::string& value, const KeyFacts* key);

  // Returns the value when it is better by `factor`, which is above 1. Where more is better the value is
  // multiplied, where less is better it is divided; whole numbers change by at least 1. Returns none when the
  // value is as good as it can be.
  std::optional<std::string> at(double factor) const;

  // Returns whether this is another word, to which a factor means nothing.
  bool is_word() const { return !word_.empty(); }

 private:
  std::string word_;
  double number_ = 0;
  std::string unit_;  // with the blank before it
  bool more_ = false, whole_ = false;
  double min_ = 0, largest_ = 0;  // both 0: there are no limits
};

}  // namespace orrery::core
