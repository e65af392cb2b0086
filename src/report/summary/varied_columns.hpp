// Columns of the keys in which runs differ.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::core {

// Writes the keys in which runs differ as columns of a CSV file. Where all values of a key are quantities of
// one kind, such as times, the column has numbers in one unit, which ends its title; other values stay as
// they are.
class VariedColumns {
 public:
  VariedColumns() = default;  // all values stay as they are
  // `values` are those of each run, in the order of the keys. A run that does not set a key has an empty one.
  VariedColumns(const std::vector<std::string>& keys, const std::vector<std::vector<std::string>>& values);

  const std::vector<std::string>& titles() const { return titles_; }
  // Returns whether the column of the key of that number has numbers in one unit.
  bool is_quantity(std::size_t key) const { return numbers_[key] != nullptr; }
  // Adds the value of the key of that number, as it stands in a CSV file.
  void append(std::string& line, std::size_t key, const std::string& value) const;

 private:
  // Adds the number in a text; throws InputError where the text is no such quantity.
  using AppendNumber = bool (*)(std::string& line, std::string_view text);

  std::vector<std::string> titles_;
  std::vector<AppendNumber> numbers_;  // null: values are no quantities
};

}  // namespace orrery::core
