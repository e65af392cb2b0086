#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "report/summary/run_tables.hpp"

namespace orrery::core {

namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Returns the value of a key as a CSV file has it: a quantity without its unit.
std::string written(const RunRow& run, const VariedColumns& varied, std::size_t key) {
  std::string text;
  if (varied.is_quantity(key))
    varied.append(text, key, run.varied[key]);
  else
    text = run.varied[key];
  return text;
}

template <class Number>
bool all_are(const std::vector<std::string>& texts) {
  return std::ranges::all_of(texts,
                             [](const std::string& text) { return text.empty() || number_in<Number>(text); });
}

template <class Number>
void add_numbers(TypedColumn& column, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (const std::optional<Number> number = number_in<Number>(text))
      column.add(*number);
    else
      column.add({});
  }
}

TypedColumn varied_column(const std::vector<RunRow>& runs, const VariedColumns& varied, std::size_t key) {
  std::vector<std::string> texts;
  for (const RunRow& run : runs) texts.push_back(written(run, varied, key));
  const ValueType type = all_are<std::int64_t>(texts) && !varied.is_quantity(key) ? ValueType::integer
                         : all_are<double>(texts)                                 ? ValueType::real
                                                                                  : ValueType::text;
  TypedColumn column =
      typed_column(varied.titles()[key], "", "Value of the key in which the runs differ.", type);
  if (type == ValueType::integer)
    add_numbers<std::int64_t>(column, texts);
  else if (type == ValueType::real)
    add_numbers<double>(column, texts);
  else
    for (const std::string& text : texts) column.add(std::string_view(text));
  return column;
}

}  // namespace

TypedTable typed_runs(const std::vector<RunRow>& runs, const VariedColumns& varied) {
  TypedTable table;
  table.name = "runs";
  table.rows = runs.size();
  for (const Column<RunRow>& column : run_table) {
    if (!column.in(Form::csv)) continue;
    TypedColumn& typed =
        table.columns.emplace_back(typed_column(column.name, column.unit, column.meaning, column.type));
    for (const RunRow& run : runs) {
      if (run.error.empty() || known_of_failed_runs(column.name))
        typed.add(column.cell(run));
      else
        typed.add({});
    }
  }
  for (std::size_t key = 0; key < varied.titles().size(); ++key)
    table.columns.push_back(varied_column(runs, varied, key));
  return table;
}

}  // namespace orrery::core
