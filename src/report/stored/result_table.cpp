#include "report/stored/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/diagnostics/diagnostics.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {

namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

// Tables have no numbers with a plus, a needless zero in front or an exponent without a sign.
bool has_form_of_results(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  if (text.size() > 1 && text[0] == '0' && text[1] != '.' && text[1] != 'e') return false;
  const std::size_t exponent = text.find('e');
  return exponent == std::string_view::npos ||
         (exponent + 1 < text.size() && (text[exponent + 1] == '-' || text[exponent + 1] == '+'));
}

std::optional<double> number_in(std::string_view cell) {
  if (cell.empty() || cell == "-nan" || cell == "nan") return not_known;
  return has_form_of_results(cell) ? parse_real(cell) : std::nullopt;
}

// Cuts the text of a CSV file into cells, row by row.
class CsvCells {
 public:
  CsvCells(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
    if (!text_.empty() && text_.back() != '\n')
      throw InputError(
          {file_, 1 + static_cast<int>(std::ranges::count(text_, '\n'))},
          "the file ends in the middle of a line, so it is not complete: write the results again");
  }

  // Returns the number of cells of a line, all of which all lines have.
  std::size_t width() const { return width_; }

  // Reads the next line; false at the end. One without text may have any number of cells.
  bool next(std::vector<std::string_view>& cells) {
    if (text_.empty()) return false;
    cells.clear();
    ++line_;
    bool ended = false;
    while (!ended) cells.push_back(take_cell(ended));
    if (width_ == 0) width_ = cells.size();
    if (std::ranges::all_of(cells, &std::string_view::empty)) cells.resize(width_);
    if (cells.size() != width_)
      throw InputError({file_, line_},
                       fmt::format("this line has {} cells, but the first one has {}, so the file was cut or "
                                   "changed: write the results again",
                                   cells.size(), width_));
    return true;
  }

 private:
  std::string_view take_cell(bool& ended) {
    if (text_.starts_with('"')) return take_quoted(ended);
    const std::size_t end = text_.find_first_of(",\n");
    std::string_view cell = text_.substr(0, end);
    ended = text_[end] == '\n';
    text_.remove_prefix(end + 1);
    if (ended && cell.ends_with('\r')) cell.remove_suffix(1);
    // The apostrophe in front of what a spreadsheet would take for a formula is no part of the text.
    if (cell.size() > 1 && cell[0] == '\'' &&
        std::string_view("=+-@").find(cell[1]) != std::string_view::npos)
      cell.remove_prefix(1);
    return cell;
  }

  std::string_view take_quoted(bool& ended) {
    std::string& cell = unquoted_.emplace_back();
    for (std::size_t i = 1; i < text_.size(); ++i) {
      if (text_[i] != '"') {
        cell += text_[i];
      } else if (text_.substr(i + 1).starts_with('"')) {
        cell += text_[i++];
      } else {
        text_.remove_prefix(i + 1);
        if (text_.starts_with('\r')) text_.remove_prefix(1);
        if (text_[0] != ',' && text_[0] != '\n') break;
        ended = text_[0] == '\n';
        text_.remove_prefix(1);
        return cell;
      }
    }
    throw InputError({file_, line_}, "a cell in quotes does not end as it should: write the results again");
  }

  std::string_view text_;
  std::string file_;
  std::deque<std::string> unquoted_;
  std::size_t width_ = 0;
  int line_ = 0;
};

bool is_blank(std::string_view cell) {
  return cell.find_first_not_of(' ') == std::string_view::npos;
}

std::string_view without_blanks(std::string_view cell) {
  const std::size_t first = cell.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return cell.substr(first, cell.find_last_not_of(' ') - first + 1);
}

// Calls `take` with the name and the cells of each column, from the first to the last.
template <class Take>
void with_cells_of(std::string_view text, const std::string& file, const Take& take) {
  CsvCells lines(text, file);
  std::vector<std::string_view> names;
  if (!lines.next(names))
    throw InputError({file}, "is empty, so it is not complete: write the results again");
  std::vector<std::vector<std::string_view>> cells(lines.width());
  for (std::vector<std::string_view> row; lines.next(row);) {
    if (std::ranges::all_of(row, is_blank)) continue;
    for (std::size_t i = 0; i < row.size(); ++i) cells[i].push_back(row[i]);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string_view name = without_blanks(names[i]);
    if (name.empty() && std::ranges::all_of(cells[i], is_blank)) continue;
    take(name.empty() ? fmt::format("column {}", i + 1) : std::string(name), cells[i]);
  }
}

}  // namespace

ResultColumn column_of(std::string_view name, const std::vector<std::string_view>& cells) {
  ResultColumn column{std::string(name), {}, {}, {}};
  if (name != "run") {
    column.numbers.reserve(cells.size());
    for (const std::string_view cell : cells) {
      const std::optional<double> number = number_in(cell);
      if (!number) break;
      column.numbers.push_back(*number);
    }
    if (column.numbers.size() == cells.size()) return column;
    column.numbers = {};
  }
  column.places.reserve(cells.size());
  std::unordered_map<std::string_view, std::uint32_t> place_of;
  for (const std::string_view cell : cells) {
    const auto [place, is_new] = place_of.emplace(cell, static_cast<std::uint32_t>(column.words.size()));
    if (is_new) column.words.emplace_back(cell);
    column.places.push_back(place->second);
  }
  return column;
}

std::vector<CellColumn> read_csv_cells(std::string_view text, const std::string& file) {
  std::vector<CellColumn> columns;
  with_cells_of(text, file, [&](std::string name, std::vector<std::string_view>& cells) {
    columns.push_back({std::move(name), {cells.begin(), cells.end()}});
  });
  return columns;
}

std::vector<ResultColumn> read_result_csv(std::string_view text, const std::string& file) {
  std::vector<ResultColumn> columns;
  with_cells_of(text, file, [&](const std::string& name, std::vector<std::string_view>& cells) {
    columns.push_back(column_of(name, cells));
    cells = {};
  });
  return columns;
}

}  // namespace orrery::core
