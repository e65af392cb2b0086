#include "study/store/run_columns.hpp"

#include <algorithm>
#include <variant>

namespace orrery::core {

namespace {

bool is_stored(const Column<RunRow>& column) {
  return column.in(Form::csv) && column.name != "speedup";
}

struct Binder {
  Statement& statement;
  int parameter;
  std::string_view unit;

  void operator()(std::monostate) const { statement.bind_nothing(parameter); }
  void operator()(bool value) const { statement.bind(parameter, std::int64_t{value}); }
  void operator()(std::int64_t value) const { statement.bind(parameter, value); }
  void operator()(std::uint64_t value) const { statement.bind(parameter, static_cast<std::int64_t>(value)); }
  void operator()(Bytes value) const { (*this)(value.count()); }
  void operator()(Real value) const { statement.bind(parameter, value.value); }
  void operator()(Time value) const { statement.bind(parameter, unit == "ns" ? value.ns() : value.us()); }
  void operator()(std::string_view value) const { statement.bind_copy(parameter, value); }
  void operator()(const std::string& value) const { statement.bind_copy(parameter, value); }
};

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

int bind_results(Statement& statement, int first, const RunRow& run) {
  for (const Column<RunRow>& column : run_table) {
    if (!is_stored(column)) continue;
    const Cell cell = run.error.empty() || known_of_failed_runs(column.name) ? column.cell(run) : Cell();
    std::visit(Binder{statement, first, column.unit}, cell.value());
    ++first;
  }
  return first;
}

int bind_keys(Statement& statement, int first, const SweepPoint& point) {
  for (const SharedValue& value : point.values) {
    if (const auto* whole = std::get_if<std::int64_t>(&value->plain))
      statement.bind(first, *whole);
    else if (const auto* real = std::get_if<double>(&value->plain))
      statement.bind(first, *real);
    else if (const auto* text = std::get_if<std::string>(&value->plain))
      statement.bind(first, std::string_view(*text));
    else
      statement.bind_nothing(first);
    ++first;
  }
  return first;
}

}  // namespace orrery::core
