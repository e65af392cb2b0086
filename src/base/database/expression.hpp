// Conditions and orders that users write over named values, in the language of SQLite's expressions
// (https://sqlite.org/lang_expr.html): `tensor * pipeline * data == 1024 and bandwidth >= 50 GB/s`.
//
// Names may hold dots and dashes, as keys of experiments do, `&&` and `||` stand for `and` and `or`, texts
// stand in single or double quotes, and a number with a unit is a quantity.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

// A name that may stand in an expression, and what SQL has in its place: a column or a parameter.
struct ExpressionName {
  std::string name;
  std::string sql;
  std::string unit = {};  // of the numbers that it stands for; empty: plain numbers, or texts
  bool is_told = true;    // whether it is among those that are named in place of a wrong one
};

// A number with the unit that it is in.
struct ReadNumber {
  double number = 0;
  std::string unit;
};

// Returns the number for which a quantity such as "50 GB/s" stands, and nothing for what is none.
using ReadQuantity = std::function<std::optional<ReadNumber>(std::string_view text)>;

// Returns the expression as SQL. The longest name that fits is taken. Throws InputError at `where` for a name
// that is none of these, for a quantity of which no name has the unit, for a text without an end, and for
// what would end the expression or begin another statement.
std::string sql_of_expression(std::string_view text, const SourceLocation& where,
                              const std::vector<ExpressionName>& names, const ReadQuantity& quantity);

// Calls a function that prepares SQL of an expression. What SQLite says of it is told with the expression.
void with_expression(std::string_view text, const SourceLocation& where,
                     const std::function<void()>& prepare);

}  // namespace orrery::core
