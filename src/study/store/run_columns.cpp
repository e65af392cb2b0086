#include "study/store/run_columns.hpp"

#include <algorithm>
#include <variant>

namespace orrery::core {

namespace {

bool is_stored(const Column<RunRow>& column) {
  return column.in(Form::csv) && column.name != "speedup";
}

// Returns the value of a cell as a store has it: times in the unit of their column.
struct PlainForm {
  std::string_view unit;

  PlainValue operator()(std::monostate) const { return {}; }
  PlainValue operator()(bool value) const { return std::int64_t{value}; }
  PlainValue operator()(std::int64_t value) const { return value; }
  PlainValue operator()(std::uint64_t value) const { return static_cast<std::int64_t>(value); }
  PlainValue operator()(Bytes value) const { return static_cast<std::int64_t>(value.count()); }
  PlainValue operator()(Real value) const { return value.value; }
  PlainValue operator()(Time value) const { return unit == "ns" ? value.ns() : value.us(); }
  PlainValue operator()(std::string_view value) const { return std::string(value); }
  PlainValue operator()(const std::string& value) const { return value; }
};

void bind_value(Statement& statement, int parameter, const PlainValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    statement.bind(parameter, *whole);
  else if (const auto* real = std::get_if<double>(&value))
    statement.bind(parameter, *real);
  else if (const auto* text = std::get_if<std::string>(&value))
    statement.bind(parameter, std::string_view(*text));
  else
    statement.bind_nothing(parameter);
}

}  // namespace

std::vector<StoreColumn> result_columns() {
  std::vector<StoreColumn> columns;
  for (const Column<RunRow>& column : run_table)
    if (is_stored(column))
      columns.push_back(
          {std::string(column.name), column.type, std::string(column.unit), std::string(column.meaning)});
  return columns;
}

std::vector<StoreColumn> key_columns(const SweepSpace& space) {
  const std::vector<StoreColumn> results = result_columns();
  std::vector<StoreColumn> columns;
  for (const SweptKey& key : space.keys) {
    using enum SweptColumn::Type;
    const ValueType type = key.column.type == integer ? ValueType::integer
                           : key.column.type == real  ? ValueType::real
                                                      : ValueType::text;
    StoreColumn& column = columns.emplace_back(
        StoreColumn{key.column.title, type, "", "Value of the key " + key.path + ".", true});
    if (std::ranges::find(results, column.name, &StoreColumn::name) != results.end())
      column.name = "key." + column.name;
  }
  return columns;
}

std::vector<PlainValue> result_values(const RunRow& run) {
  std::vector<PlainValue> values;
  for (const Column<RunRow>& column : run_table) {
    if (!is_stored(column)) continue;
    const Cell cell = run.error.empty() || known_of_failed_runs(column.name) ? column.cell(run) : Cell();
    values.push_back(std::visit(PlainForm{column.unit}, cell.value()));
  }
  return values;
}

int bind_values(Statement& statement, int first, const std::vector<PlainValue>& values) {
  for (const PlainValue& value : values) bind_value(statement, first++, value);
  return first;
}

int bind_keys(Statement& statement, int first, const SweepPoint& point) {
  for (const SharedValue& value : point.values) bind_value(statement, first++, value->plain);
  return first;
}

}  // namespace orrery::core
