// What a sweep varies: axes of keys, which of their combinations count, and how many are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "study/space/key_values.hpp"
#include "study/space/swept_value.hpp"

namespace orrery::core {

struct SweptKey {
  std::string path;   // as --set takes it
  std::string shown;  // the last words of the path, as many as tell the key from the others
  SourceLocation where;
  SweptColumn column;
};

// All numbers between two, from which a sample draws. They may have a unit.
struct NumberRange {
  double from = 0, to = 0;
  bool logarithmic = false;  // each ratio is as likely, and not each difference
  bool whole = false;        // only whole numbers
  std::string unit;          // with the blank in front of it
};

// Keys that vary together: the value at one place belongs to the values of the others at that place.
struct SweepAxis {
  std::vector<std::size_t> keys;     // their numbers in the space
  std::vector<KeyValues> values;     // by key of the axis
  std::optional<NumberRange> range;  // in place of values, where there is one key
  SourceLocation where;

  std::size_t size() const { return values.empty() ? 0 : values.front().size(); }
};

struct SweepCondition {
  std::string text;
  SourceLocation where;
};

enum class SampleMethod : std::uint8_t { random, latin_hypercube };

struct SweepSample {
  SampleMethod method = SampleMethod::random;
  std::size_t runs = 0;
  std::uint64_t seed = 0;
};

struct SweepSpace {
  SourceLocation where;
  std::vector<SweptKey> keys;
  std::map<std::string, std::string> fixed;  // values by paths: keys that all runs have alike
  std::vector<SweepAxis> axes;
  std::vector<SweepCondition> conditions;  // all have to hold
  std::optional<SweepSample> sample;       // none: every combination
};

// Returns whether a path is another one, or leads to something within what the other leads to.
bool is_at_or_below(std::string_view path, std::string_view other);

// What a point gives to the keys, in their order.
struct SweepPoint {
  std::size_t number = 0;  // of the combination, or of what was drawn; points have rising ones
  std::vector<SharedValue> values;
};

// Returns a value of the range for a fraction from 0 to 1.
SweptValue value_in_range(const NumberRange& range, double fraction, const SweptKey& key);

}  // namespace orrery::core
