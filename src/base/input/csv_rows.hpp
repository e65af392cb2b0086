// Reads CSV files whose first line names the columns. They become lists of maps, which are read by
// declarations of keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"

namespace orrery::core {

// Returns the rows as maps. Blank lines and those that begin with "#" do not count. The first other line
// names the columns in any order: each has to be in `known`, and all of `least` have to be there. An empty
// cell counts as a column that is missing in this row. Throws InputError, also when there are no rows; `what`
// names the rows in that message, as in "no groups".
std::vector<InputNode> csv_rows(std::string_view text, const std::string& file, std::string_view what,
                                const std::vector<std::string_view>& known,
                                const std::vector<std::string_view>& least);

// Reads each row into a Row, which also keeps the row's place in the file.
template <class Row, class Keys>
std::vector<Row> read_csv_rows(std::string_view text, const std::string& file, std::string_view what,
                               const Keys& keys) {
  std::vector<std::string_view> least;
  for (const auto& key : keys)
    if (key.is_required()) least.push_back(key.name);
  std::vector<Row> rows;
  for (const InputNode& node : csv_rows(text, file, what, names_of(keys), least)) {
    Row& row = rows.emplace_back();
    row.where = node.where;
    read_map(node, "a row of " + std::string(what), keys, row);
  }
  return rows;
}

namespace key_readers {
double measured_seconds(const InputNode& node, const KeyFacts& key);
}
namespace key {
// A key whose value is a measured time; the member holds seconds.
template <auto... path>
constexpr auto measured_us(Text name) {
  return declared<key_readers::measured_seconds, KeyType::other, path...>(
             name, "",
             "measured time. With `--table` it is the time that is taken, otherwise the output compares with "
             "it")
      .of("above 0");
}
}  // namespace key

}  // namespace orrery::core
