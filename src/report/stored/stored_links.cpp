#include "report/stored/stored_links.hpp"

#include <algorithm>
#include <cmath>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "report/stored/result_table.hpp"

namespace orrery {

namespace {

const ResultColumn& column_named(const std::vector<ResultColumn>& columns, std::string_view name,
                                 const std::string& file) {
  const auto found = std::ranges::find(columns, name, &ResultColumn::name);
  if (found == columns.end())
    throw InputError({file}, "lacks the column " + backquoted(name) + "; simulate the run again");
  return *found;
}

std::string text_in(const ResultColumn& column, std::size_t row) {
  return column.has_words() ? column.words[column.places[row]] : std::string();
}

double number_in(const ResultColumn& column, std::size_t row) {
  const double number = column.has_words() ? NAN : column.numbers[row];
  return std::isfinite(number) ? number : 0;
}

}  // namespace

std::vector<BusiestLinks> read_stored_links(std::string_view text, const std::string& file) {
  const std::vector<ResultColumn> columns = read_result_csv(text, file);
  const ResultColumn &from = column_named(columns, "from", file), &to = column_named(columns, "to", file);
  const ResultColumn& dimension = column_named(columns, "dimension", file);
  const ResultColumn &use = column_named(columns, "utilization", file),
                     &count = column_named(columns, "links", file),
                     &busy = column_named(columns, "busy_ns", file);
  std::vector<BusiestLinks> links(from.rows());
  for (std::size_t row = 0; row < links.size(); ++row) {
    links[row].from = text_in(from, row);
    links[row].to = text_in(to, row);
    links[row].dimension = text_in(dimension, row);
    links[row].utilization = number_in(use, row);
    links[row].busy = Time::from_ns_rounded(std::max(0.0, number_in(busy, row)));
    links[row].links = static_cast<std::uint64_t>(std::max(0.0, number_in(count, row)));
  }
  return links;
}

}  // namespace orrery
