// The values that a sweep gives to a key, one after the other.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "study/space/swept_value.hpp"

namespace orrery::core {

// Numbers with a step or a factor between them.
struct NumberSteps {
  double from = 0;
  double change = 1;  // the step, or the factor
  bool by_factor = false;
  std::size_t count = 0;
  std::string unit;  // with the blank in front of it
  SourceLocation where;

  // Returns the number at a place as an experiment has it. Twelve digits leave out what the sums have
  // rounded.
  InputNode value_at(std::size_t place) const;
};

// A list of values, or steps, of which there may be a million, so that each is made when it is asked for.
// Several threads may ask.
class KeyValues {
 public:
  explicit KeyValues(std::vector<SharedValue> listed) : listed_(std::move(listed)) {}
  KeyValues(NumberSteps steps, std::string path, SweptColumn column)
      : steps_(std::move(steps)), path_(std::move(path)), column_(std::move(column)) {}

  std::size_t size() const { return steps_.count > 0 ? steps_.count : listed_.size(); }
  SharedValue at(std::size_t place) const;
  // Returns whether the values are steps, none of which is there twice.
  bool are_steps() const { return steps_.count > 0; }

 private:
  std::vector<SharedValue> listed_;
  NumberSteps steps_;  // of none, where the values are listed
  std::string path_;
  SweptColumn column_;
};

}  // namespace orrery::core
