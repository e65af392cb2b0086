// The costs of making parameters of a machine better, as a user gives them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/input_node.hpp"
#include "base/input/keys.hpp"

namespace orrery::core {

// The cost of a parameter that gets better by a factor, or becomes another word. It is in any unit that the
// user likes.
struct ChangeCost {
  double fixed = 0;  // whatever the factor
  // Cost per doubling, by the binary logarithm of the factor; another word counts as one doubling.
  double per_doubling = 0;
  double each = 0;  // cost of one more, or one less, of a whole number
};

class ChangeCosts {
 public:
  // Makes an object without costs.
  ChangeCosts() = default;
  // Reads a map from parameters, in whose names `*` stands for any text, to their costs. Throws InputError.
  explicit ChangeCosts(const InputNode& map);

  bool empty() const { return entries_.empty(); }
  // Returns the cost of changing a parameter's value to another one, by the first entry that names the
  // parameter. Returns none where no entry does. Throws InputError where the entry's cost is for whole
  // numbers and the value is none.
  std::optional<double> of(std::string_view key, const std::string& from, const std::string& to) const;
  // Adds warnings about entries that name none of these parameters.
  void warn_of_unused(const std::vector<std::string_view>& keys, Warnings& warnings) const;

 private:
  struct Entry {
    std::string pattern;
    SourceLocation where;
    ChangeCost cost;
  };
  std::vector<Entry> entries_;
};

// Returns whether a text fits a pattern, in which each `*` stands for any text.
bool fits_pattern(std::string_view pattern, std::string_view text);

// Returns the keys that a cost may have.
std::vector<KeyPath> change_cost_keys();

}  // namespace orrery::core
