#include "base/text/text_lines.hpp"

#include <algorithm>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

std::vector<Token> lines_of(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<Token> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({line, static_cast<int>(lines.size()) + 1, 1});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Token trimmed(Token token) {
  constexpr std::string_view blanks = " \t\r\v\f";
  const std::size_t begin = std::min(token.text.find_first_not_of(blanks), token.text.size());
  token.text.remove_prefix(begin);
  token.column += static_cast<int>(begin);
  token.text.remove_suffix(token.text.size() - (token.text.find_last_not_of(blanks) + 1));
  return token;
}

std::vector<Token> cells_of(const Token& line, char separator) {
  std::vector<Token> cells;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(line.text.find(separator, begin), line.text.size());
    cells.push_back(
        trimmed({line.text.substr(begin, end - begin), line.line, line.column + static_cast<int>(begin)}));
    if (end == line.text.size()) return cells;
    begin = end + 1;
  }
}

std::vector<Token> layer_lines_of(std::string_view text, const std::string& file, Warnings& warnings) {
  std::vector<Token> lines = lines_of(text);
  if (lines.empty())
    throw InputError({file}, "the file is empty, it has to hold a header and a line per layer");
  const Token header = lines.front();
  const std::vector<Token> cells = cells_of(header);
  if (cells.size() > 1 && parse_unsigned(cells[1].text))
    warnings.add({file, header.line, header.column},
                 "the first line is taken for a header, although it looks like a layer");
  lines.erase(lines.begin());
  std::erase_if(lines, [](const Token& line) { return trimmed(line).text.empty(); });
  if (lines.empty()) throw InputError({file}, "there is no layer behind the header, add a line per layer");
  return lines;
}

std::uint64_t whole_number(const Token& cell, const std::string& file, const std::string& what,
                           std::uint64_t least, std::uint64_t largest) {
  const auto number = parse_unsigned(cell.text);
  if (number && *number >= least && *number <= largest) return *number;
  throw InputError({file, cell.line, cell.column},
                   what + " has to be a whole number from " + std::to_string(least) + " to " +
                       std::to_string(largest) + ", not " + backquoted(cell.text));
}

}  // namespace orrery::core
