#include "report/table/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/diagnostics/printable.hpp"
#include "base/text/readable.hpp"

namespace orrery::core {

namespace {

// Columns of words are wrapped to this many characters; names in the first column stay longer.
constexpr std::size_t narrowest_name = 32, narrowest_words = 16;

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

// Returns the bytes of the first `width` characters.
std::size_t bytes_of(std::string_view text, std::size_t width) {
  std::size_t at = 0;
  while (at < text.size() && (width > 0 || !begins_character(text[at])))
    if (begins_character(text[at++])) --width;
  return at;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Returns the last blank that is not between a number and its unit, else npos.
std::size_t last_gap(std::string_view text) {
  std::size_t at = text.rfind(' ');
  while (at != std::string_view::npos && at > 0 && is_digit(text[at - 1])) at = text.rfind(' ', at - 1);
  return at == 0 ? std::string_view::npos : at;
}

// Lines end at a blank or behind a mark; where there is none, anywhere.
std::vector<std::string> lines_of(std::string_view text, std::size_t first_width, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t most = first_width; width_of(text) > most; most = width) {
    const std::string_view head = text.substr(0, bytes_of(text, most) + 1);
    std::size_t end = last_gap(head);
    if (end == std::string_view::npos) {
      end = head.substr(0, head.size() - 1).find_last_of("-_/,.");
      end = end == std::string_view::npos ? head.size() - 1 : end + 1;
    }
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', end)));
  }
  lines.emplace_back(text);
  return lines;
}

void append_padded(std::string& line, std::string_view text, std::size_t width, bool left) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  line.append(left ? text : std::string_view(blanks)).append(left ? std::string_view(blanks) : text);
}

class TextLayout {
 public:
  explicit TextLayout(const TextTable& table) : table_(table) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const std::size_t heading = width_of(table.columns[c].heading);
      std::size_t width = 0;
      for (const auto& row : table.rows) width = std::max(width, width_of(row[c]));
      if (width == 0 && !table.rows.empty()) continue;
      shown_.push_back(c);
      const bool words = table.columns[c].words;
      widths_.push_back(std::max(width, words ? std::min(heading, narrowest_words) : heading));
    }
    natural_ = widths_;
  }

  std::string text() {
    if (shown_.empty()) return {};
    if (excess() > 0) gap_ = 1;
    while (excess() > 0 && shrink_widest()) continue;
    if (excess() > 0) divide();
    std::string text;
    for (std::size_t from = 1, to = 1; from < shown_.size() || text.empty(); from = to) {
      std::size_t used = widths_[0];
      while (to < shown_.size() && (to == from || used + gap_ + widths_[to] <= terminal_width))
        used += gap_ + widths_[to++];
      text += (text.empty() ? "" : "\n") + part(from, to);
    }
    return text;
  }

 private:
  // Returns by how many characters lines would be too long.
  std::size_t excess() const {
    std::size_t sum = 0;
    for (const std::size_t width : widths_) sum += width + (sum > 0 ? gap_ : 0);
    return sum - std::min(sum, terminal_width);
  }

  // Now only columns that are wider than the space beside the first column are wrapped.
  void divide() {
    gap_ = 2;
    widths_ = natural_;
    if (words(0)) widths_[0] = std::min(widths_[0], narrowest_name);
    for (std::size_t i = 1; i < widths_.size(); ++i)
      if (words(i)) widths_[i] = std::min(widths_[i], terminal_width - gap_ - widths_[0]);
  }

  bool words(std::size_t i) const { return table_.columns[shown_[i]].words; }

  // Returns whether a column of words could be made narrower.
  bool shrink_widest() {
    std::size_t widest = shown_.size();
    for (std::size_t i = 0; i < shown_.size(); ++i)
      if (words(i) && widths_[i] > narrowest(i) && (widest == shown_.size() || widths_[i] >= widths_[widest]))
        widest = i;
    if (widest == shown_.size()) return false;
    widths_[widest] = std::max(narrowest(widest), widths_[widest] - std::min(widths_[widest], excess()));
    return true;
  }

  static std::size_t narrowest(std::size_t i) { return i == 0 ? narrowest_name : narrowest_words; }

  // Returns the first column and those from `from` to before `to`.
  std::string part(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> chosen{0};
    for (; from < to; ++from) chosen.push_back(from);
    std::vector<std::string> headings;
    for (const TextColumn& column : table_.columns) headings.push_back(column.heading);
    std::string text;
    append_row(text, headings, chosen);
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      if (i < table_.heads.size() && !table_.heads[i].empty()) text += "\n" + table_.heads[i] + "\n";
      append_row(text, table_.rows[i], chosen);
    }
    return text;
  }

  void append_row(std::string& text, const std::vector<std::string>& row,
                  const std::vector<std::size_t>& chosen) const {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (const std::size_t i : chosen) {
      cells.push_back(lines_of(row[shown_[i]], widths_[i], widths_[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t n = 0; n < height; ++n) {
      std::string line;
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        if (k > 0) line.append(gap_, ' ');
        append_padded(line, n < cells[k].size() ? cells[k][n] : "", widths_[chosen[k]], words(chosen[k]));
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + '\n';
    }
  }

  const TextTable& table_;
  std::vector<std::size_t> shown_;    // columns with contents
  std::vector<std::size_t> natural_;  // widths of these
  std::vector<std::size_t> widths_;   // those that they get
  std::size_t gap_ = 2;
};

struct ReadableForm {
  std::string_view unit;

  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(Real real) const {
    const double value = real.value;
    if (unit == "share") return readable_share(value);
    if (unit == "ratio") return fmt::format("{:.2f}x", value);
    if (unit == "bytes") return readable_bytes(value);
    constexpr double smallest_with_digits = 1e-3;
    if (unit == "GB/s" && value > 0 && value < smallest_with_digits) return fmt::format("{:.3g}", value);
    if (unit == "us") return readable_seconds(value * 1e-6);
    return readable_count(value);
  }
  std::string operator()(Time time) const { return readable(time); }
  std::string operator()(Bytes bytes) const { return readable(bytes); }
  std::string operator()(std::string_view words) const { return printable(words); }
  std::string operator()(std::integral auto number) const {
    return (*this)(Real{static_cast<double>(number)});
  }
};

}  // namespace

void append_csv(std::string& text, const Cell& cell, std::string_view unit) {
  std::visit([&](const auto& value) { append_csv(text, value, unit); }, cell.value());
}

std::string readable(const Cell& cell, std::string_view unit) {
  return std::visit(ReadableForm{unit}, cell.value());
}

std::string json_key(std::string_view name) {
  return name.ends_with("_ns") ? std::string(name.substr(0, name.size() - 2)) + "us" : std::string(name);
}

void TextTable::insert(std::size_t place, TextColumn column, std::vector<std::string> cells) {
  columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(place), std::move(column));
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].insert(rows[i].begin() + static_cast<std::ptrdiff_t>(place), std::move(cells[i]));
}

std::string TextTable::text() const {
  return TextLayout(*this).text();
}

std::string bar_of(double share, std::size_t width, bool unicode) {
  const double length = std::round(std::clamp(share, 0.0, 1.0) * static_cast<double>(width));
  std::string bar;
  for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) bar += unicode ? "█" : "#";
  return bar;
}

std::string report_line(std::string_view what, std::string_view value, std::string_view remark,
                        std::size_t indent) {
  constexpr std::size_t what_width = 24, value_width = 10;
  std::string line(indent, ' ');
  append_padded(line, what, what_width - indent, true);
  line += ' ';
  append_padded(line, value, value_width - 1, false);
  if (!remark.empty()) line.append("  ").append(remark);
  return wrapped(line, what_width + value_width + 3) + "\n";
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string> lines =
        lines_of(text.substr(0, end), terminal_width, terminal_width - indent);
    for (std::size_t i = 0; i < lines.size(); ++i)
      out.append(i > 0 ? "\n" + std::string(indent, ' ') : "").append(lines[i]);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace orrery::core
