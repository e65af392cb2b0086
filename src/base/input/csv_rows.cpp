#include "base/input/csv_rows.hpp"

#include <fmt/format.h>

#include "base/input/input_tree_builder.hpp"
#include "base/text/text_lines.hpp"

namespace orrery::core {
namespace {

InputNode scalar(const Token& cell, const std::string& file) {
  return {InputNode::Kind::scalar, std::string(cell.text), {}, {}, {file, cell.line, cell.column}};
}

// Returns the names of the columns.
std::vector<InputName> titles_of(const std::vector<Token>& cells, const std::string& file,
                                 const std::vector<std::string_view>& known,
                                 const std::vector<std::string_view>& least) {
  InputTreeBuilder tree(1);
  tree.open(InputNode::Kind::map, {file, cells[0].line, cells[0].column});
  for (const Token& cell : cells) {
    tree.add(scalar(cell, file));
    tree.add({});
  }
  tree.close();
  const InputNode titles = tree.take();
  require_map_of(titles, "the first line", known);
  for (const std::string_view name : least) required(titles, "the first line", name);
  return titles.names;
}

InputNode row_of(const std::vector<Token>& cells, const std::vector<InputName>& titles,
                 const std::string& file) {
  InputNode row{InputNode::Kind::map, {}, {}, {}, {file, cells[0].line, cells[0].column}};
  if (cells.size() != titles.size())
    throw InputError(row.where, fmt::format("this line has {} values, the first line names {}", cells.size(),
                                            titles.size()));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].text.empty()) continue;
    row.names.push_back(titles[i]);
    row.items.push_back(scalar(cells[i], file));
  }
  return row;
}

}  // namespace

std::vector<InputNode> csv_rows(std::string_view text, const std::string& file, std::string_view what,
                                const std::vector<std::string_view>& known,
                                const std::vector<std::string_view>& least) {
  std::vector<InputName> titles;
  std::vector<InputNode> rows;
  for (const Token& line : lines_of(text)) {
    const Token content = trimmed(line);
    if (content.text.empty() || content.text.starts_with('#')) continue;
    if (titles.empty())
      titles = titles_of(cells_of(content), file, known, least);
    else
      rows.push_back(row_of(cells_of(content), titles, file));
  }
  if (rows.empty())
    throw InputError({file}, fmt::format("no {}; the first line has to be `{}`, then a line for each", what,
                                         fmt::join(least, ",")));
  return rows;
}

double key_readers::measured_seconds(const InputNode& node, const KeyFacts& key) {
  constexpr double longest_us = 1e12;
  const double us = number_of(node, key.name);
  if (!(us > 0) || us > longest_us) reject_value(node, key.name, "a number of microseconds above 0");
  return us * 1e-6;
}

}  // namespace orrery::core
