// How one value of a machine gets better: a bandwidth grows, a latency shrinks, an algorithm becomes another.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/keys.hpp"

namespace orrery {

// One way in which a value gets better.
class Improvement {
 public:
  // Returns the ways of a value that stands at a key, as its declaration says them; where there is none
  // (null), as the value's unit says. There is no way for texts and zeros, nor for sizes whose declarations
  // say none.
  static std::vector<Improvement> of(const std::string& value, const KeyFacts* key);

  // Returns the value when it is better by `factor`, which is above 1: more of it is multiplied, less of it
  // divided; whole numbers change by 1 at least. None: it is as good as it can be.
  std::optional<std::string> at(double factor) const;

  // Whether this is another word, to which a factor means nothing.
  bool is_word() const { return !word_.empty(); }

 private:
  std::string word_;
  double number_ = 0;
  std::string unit_;  // with the blank before it
  bool more_ = false, whole_ = false;
  double least_ = 0, largest_ = 0;  // both 0: there are no limits
};

}  // namespace orrery
