// Tables whose values a program can use: each column has one type, and its values lie one behind the other as
// Apache Arrow lays them out (https://arrow.apache.org/docs/format/Columnar.html), so that other libraries
// read them without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/table/table.hpp"

namespace orrery::core {

// A list of bits, the first of which is the lowest bit of the first byte.
class Bits {
 public:
  void add(bool bit);
  bool operator[](std::size_t place) const { return (bytes_[place / 8] >> (place % 8) & 1) != 0; }
  const std::uint8_t* data() const { return bytes_.data(); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t size_ = 0;
};

// The type says which list holds the values. A value that is missing has a place there, too.
struct TypedColumn {
  std::string name, unit, meaning;
  ValueType type = ValueType::none;
  Bits known;               // a bit for each value: whether it is there
  std::size_t missing = 0;  // number of values that are not
  Bits booleans;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::vector<std::int64_t> text_ends{
      0};  // the text of row i begins at text_ends[i] and ends at text_ends[i + 1]
  std::string texts;

  // Requires a cell of the column's type, or an empty one.
  void add(const Cell& cell);
  std::string_view text(std::size_t row) const;
};

struct TypedTable {
  std::string name;
  std::vector<TypedColumn> columns;
  std::size_t rows = 0;

  // Returns null where there is no such column.
  const TypedColumn* find(std::string_view column) const;
};

// Returns a column without values.
TypedColumn typed_column(std::string_view name, std::string_view unit, std::string_view meaning,
                         ValueType type);

}  // namespace orrery::core
