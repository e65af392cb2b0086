#include "report/table/typed_table.hpp"

#include <algorithm>
#include <stdexcept>

namespace orrery::core {

void Bits::add(bool bit) {
  if (size_ % 8 == 0) bytes_.push_back(0);
  if (bit) bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | 1U << (size_ % 8));
  ++size_;
}

namespace {

// Puts the value of a cell into the list that the column's type names.
struct Putter {
  TypedColumn& column;

  void operator()(std::monostate) const {}
  void operator()(bool value) const { column.booleans.add(value); }
  void operator()(std::int64_t value) const { put_integer(value); }
  void operator()(std::uint64_t value) const { put_integer(static_cast<std::int64_t>(value)); }
  void operator()(Bytes value) const { put_integer(static_cast<std::int64_t>(value.count())); }
  void operator()(Real value) const { column.reals.push_back(value.value); }
  void operator()(Time value) const { column.reals.push_back(column.unit == "ns" ? value.ns() : value.us()); }
  void operator()(std::string_view value) const { put_text(value); }
  void operator()(const std::string& value) const { put_text(value); }

 private:
  void put_integer(std::int64_t value) const {
    if (column.type == ValueType::real)
      column.reals.push_back(static_cast<double>(value));
    else
      column.integers.push_back(value);
  }
  void put_text(std::string_view value) const {
    column.texts += value;
    column.text_ends.push_back(static_cast<std::int64_t>(column.texts.size()));
  }
};

void put_nothing(TypedColumn& column) {
  switch (column.type) {
    case ValueType::boolean:
      return column.booleans.add(false);
    case ValueType::integer:
      return column.integers.push_back(0);
    case ValueType::real:
      return column.reals.push_back(0);
    case ValueType::text:
      return column.text_ends.push_back(column.text_ends.back());
    case ValueType::none:
      break;
  }
  throw std::logic_error("the column " + column.name + " has no type");
}

}  // namespace

void TypedColumn::add(const Cell& cell) {
  known.add(!cell.is_empty());
  if (cell.is_empty()) {
    ++missing;
    return put_nothing(*this);
  }
  std::visit(Putter{*this}, cell.value());
}

std::string_view TypedColumn::text(std::size_t row) const {
  const auto begin = static_cast<std::size_t>(text_ends[row]);
  return std::string_view(texts).substr(begin, static_cast<std::size_t>(text_ends[row + 1]) - begin);
}

const TypedColumn* TypedTable::find(std::string_view column) const {
  const auto found = std::ranges::find(columns, column, &TypedColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

TypedColumn typed_column(std::string_view name, std::string_view unit, std::string_view meaning,
                         ValueType type) {
  TypedColumn column;
  column.name = name;
  column.unit = unit;
  column.meaning = meaning;
  column.type = type;
  return column;
}

}  // namespace orrery::core
