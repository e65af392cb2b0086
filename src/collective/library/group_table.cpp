#include "collective/library/group_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text_lines.hpp"
#include "collective/collective_words.hpp"

namespace orrery {
namespace {

constexpr std::uint64_t most_group_members = 1 << 24;
constexpr std::uint64_t most_gpus_per_node = 4096;
constexpr std::uint64_t largest_buffer = std::uint64_t{1} << 53;  // 8 PiB, which a double counts exactly
constexpr double longest_measured_us = 1e12;

int count_of(const Token& cell, const std::string& file, const char* column, std::uint64_t most) {
  return static_cast<int>(whole_number(cell, file, fmt::format("`{}`", column), 1, most));
}

template <class Table>
auto word_of_cell(const Token& cell, const std::string& file, const char* column, const Table& table) {
  const auto value = value_of(table, cell.text);
  if (!value)
    throw InputError({file, cell.line, cell.column},
                     fmt::format("`{}` has to be {}, not {}", column, alternatives(words_of(table)),
                                 backquoted(cell.text)));
  return *value;
}

double measured_seconds(const Token& cell, const std::string& file) {
  const auto value = parse_real(cell.text);
  if (!value || !(*value > 0) || *value > longest_measured_us)
    throw InputError({file, cell.line, cell.column},
                     "`time_us` has to be a number of microseconds above 0, not " + backquoted(cell.text));
  return *value * 1e-6;
}

struct GroupColumn {
  std::string_view name;
  void (*read)(const Token& cell, const std::string& file, GroupRow& row);
  bool required = false;  // empty cells of others are as if they were not there
};
constexpr GroupColumn group_columns[] = {
    {"link",
     [](const Token& c, const std::string& f, GroupRow& r) {
       r.links.inside = LinkChoice(std::string(c.text), {f, c.line, c.column});
     },
     true},
    {"inter",
     [](const Token& c, const std::string& f, GroupRow& r) {
       r.links.between = LinkChoice(std::string(c.text), {f, c.line, c.column});
     }},
    {"gpus_per_node",
     [](const Token& c, const std::string& f, GroupRow& r) {
       r.links.gpus_per_node = count_of(c, f, "gpus_per_node", most_gpus_per_node);
     }},
    {"nics_per_node",
     [](const Token& c, const std::string& f, GroupRow& r) {
       r.links.nics_per_node = count_of(c, f, "nics_per_node", most_gpus_per_node);
     }},
    {"operation",
     [](const Token& c, const std::string& f, GroupRow& r) {
       r.operation = word_of_cell(c, f, "operation", library_operation_words);
     },
     true},
    {"members",
     [](const Token& c, const std::string& f, GroupRow& r) {
       r.group.members = r.group.per_node = count_of(c, f, "members", most_group_members);
     },
     true},
    {"per_node", [](const Token& c, const std::string& f,
                    GroupRow& r) { r.group.per_node = count_of(c, f, "per_node", most_gpus_per_node); }},
    {"bytes",
     [](const Token& c, const std::string& f, GroupRow& r) {
       r.bytes = static_cast<double>(whole_number(c, f, "`bytes`", 1, largest_buffer));
     },
     true},
    {"algorithm",
     [](const Token& c, const std::string& f, GroupRow& r) {
       r.algorithm = word_of_cell(c, f, "algorithm", library_algorithm_words);
     }},
    {"timed", [](const Token& c, const std::string& f,
                 GroupRow& r) { r.timed_by = word_of_cell(c, f, "timed", timed_by_words); }},
    {"time_us",
     [](const Token& c, const std::string& f, GroupRow& r) { r.seconds = measured_seconds(c, f); }},
    {"system", [](const Token&, const std::string&, GroupRow&) {}},
};

std::vector<const GroupColumn*> group_columns_of(const std::vector<Token>& titles, const std::string& file) {
  std::vector<const GroupColumn*> found;
  for (const Token& title : titles) {
    const SourceLocation where{file, title.line, title.column};
    const auto* column = std::ranges::find(group_columns, title.text, &GroupColumn::name);
    if (column == std::end(group_columns)) {
      const auto known = group_table_columns();
      const std::string hint = suggestion(title.text, known);
      throw InputError(where, "unknown column " + backquoted(title.text) +
                                  (hint.empty() ? "; known here: " + alternatives(known) : hint));
    }
    if (std::ranges::find(found, column) != found.end())
      throw InputError(where, "column " + backquoted(title.text) + " is there twice, keep one");
    found.push_back(column);
  }
  for (const GroupColumn& column : group_columns)
    if (column.required && std::ranges::find(found, &column) == found.end())
      throw InputError({file, titles[0].line, titles[0].column},
                       fmt::format("the column `{}` is missing from the first line", column.name));
  return found;
}

// In the order of the table of columns, as the members say what `per_node` is without its column.
GroupRow group_row_of(const std::vector<Token>& cells, const std::vector<const GroupColumn*>& titles,
                      const std::string& file) {
  const SourceLocation where{file, cells[0].line, cells[0].column};
  if (cells.size() != titles.size())
    throw InputError(
        where, fmt::format("this line has {} values, the first line names {}", cells.size(), titles.size()));
  GroupRow row;
  row.where = where;
  for (const GroupColumn& column : group_columns) {
    const auto title = std::ranges::find(titles, &column);
    if (title == titles.end()) continue;
    const Token& cell = cells[static_cast<std::size_t>(title - titles.begin())];
    if (!cell.text.empty() || column.required) column.read(cell, file, row);
  }
  return row;
}

CollectiveCost kernel_cost_of(const GroupRow& row, const LibraryConstants& constants, Warnings& warnings) {
  const CollectiveLibrary library(constants, row.links, row.where);
  for (const LinkNote& note : library.notes()) warnings.add({note.where.file}, note.text);
  const bool all_reduce = row.operation == LibraryOperation::all_reduce;
  if (row.algorithm && !all_reduce)
    throw InputError(row.where, "only all-reduce has several algorithms, leave the algorithm out");
  switch (row.operation) {
    case LibraryOperation::broadcast:
      return library.broadcast_cost(row.bytes, row.group);
    case LibraryOperation::send:
      if (row.group.members != 2)
        throw InputError(row.where, fmt::format("a send has 2 members, not {}", row.group.members));
      return library.send_cost(row.bytes, row.group.per_node == 2);
    default: {
      const auto word = word_of(library_operation_words, row.operation);
      return library.cost(value_of(collective_kind_words, word).value(), row.bytes, row.group, row.algorithm);
    }
  }
}

}  // namespace

CollectiveCost cost_of(const GroupRow& row, const LibraryConstants& constants, Warnings& warnings) {
  CollectiveCost cost = kernel_cost_of(row, constants, warnings);
  if (row.timed_by == TimedBy::call && row.group.members > 1) cost.seconds += constants.lone_call_seconds;
  return cost;
}

std::vector<GroupRow> read_group_table(std::string_view text, const std::string& file) {
  std::vector<const GroupColumn*> titles;
  std::vector<GroupRow> rows;
  for (const Token& line : lines_of(text)) {
    const Token content = trimmed(line);
    if (content.text.empty() || content.text.starts_with('#')) continue;
    const std::vector<Token> cells = cells_of(content);
    if (titles.empty()) {
      titles = group_columns_of(cells, file);
    } else {
      rows.push_back(group_row_of(cells, titles, file));
    }
  }
  if (rows.empty())
    throw InputError({file},
                     "no groups; the first line has to be `link,operation,members,bytes`, then a line "
                     "for each");
  return rows;
}

std::vector<std::string_view> group_table_columns() {
  std::vector<std::string_view> names;
  for (const GroupColumn& column : group_columns) names.push_back(column.name);
  return names;
}

}  // namespace orrery
