// One value that a sweep gives to a key.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/database/expression.hpp"
#include "base/input/input_node.hpp"

namespace orrery::core {

// A value of a key as tables and conditions know it: a quantity is a number in the unit of its column.
using PlainValue = std::variant<std::monostate, std::int64_t, double, std::string>;

struct SweptValue {
  InputNode node;       // what the document of the run has there
  std::string text;     // as tables show it
  std::string label;    // as names of runs have it: without a character that a name of a file cannot have
  std::string content;  // content_of() the node
  PlainValue plain;     // of the column (SweptColumn)

  // Returns whether it is nothing: the key is left out, and has its usual value.
  bool leaves_out() const { return node.kind == InputNode::Kind::null; }
};
using SharedValue = std::shared_ptr<const SweptValue>;

// Returns the value that a node stands for. `number` tells it from the others of its key where it is a map
// without a name.
SweptValue swept_value(InputNode node, std::size_t number);

// The column of a key in tables.
struct SweptColumn {
  enum class Type : std::uint8_t { integer, real, text };
  std::string title;  // the key's path and, for quantities of one kind, their unit
  Type type = Type::text;
};

// Chooses the column by the texts of the values, and sets what each of them is there.
SweptColumn set_plain_values(const std::string& path, std::vector<SweptValue>& values);
// Sets what one further value is in a column that was chosen by others.
void set_plain_value(const std::string& path, const SweptColumn& column, SweptValue& value);

// Returns the number that a quantity such as "50 GB/s" is in tables, with what the titles of columns in its
// unit end in, and nothing for what is none.
std::optional<ReadNumber> plain_quantity(std::string_view text);
// Returns what the title of a column ends in if it says a unit of quantities, such as "_us"; else an empty
// text.
std::string unit_of_title(std::string_view title);

}  // namespace orrery::core
