#include "report/study/packed_columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/stored/filled_page.hpp"

namespace orrery::core {

namespace {

constexpr double largest_exact = 9e15;  // below 2^53: whole numbers are exact

unsigned width_of(std::uint64_t largest) {
  return std::max(1U, (static_cast<unsigned>(std::bit_width(largest)) + 7) / 8);
}

void append_planes(std::string& bytes, const std::vector<std::uint64_t>& cells, unsigned width) {
  for (unsigned plane = 0; plane < width; ++plane)
    for (const std::uint64_t cell : cells) bytes += static_cast<char>(cell >> (8 * plane) & 0xff);
}

struct Words {
  std::vector<std::string_view> list;
  std::vector<std::uint64_t> cells;
};

Words words_of(const TypedColumn& column, std::size_t rows) {
  Words words;
  std::unordered_map<std::string_view, std::uint64_t> places;
  for (std::size_t row = 0; row < rows; ++row) {
    std::string_view text;
    if (column.known[row])
      text = column.type == ValueType::boolean ? (column.booleans[row] ? "yes" : "no") : column.text(row);
    if (text.empty()) {
      words.cells.push_back(0);
      continue;
    }
    const auto [found, is_new] = places.emplace(text, words.list.size() + 1);
    if (is_new) words.list.push_back(text);
    words.cells.push_back(found->second);
  }
  return words;
}

void append_words(std::string& json, std::string& bytes, const TypedColumn& column, std::size_t rows) {
  const Words words = words_of(column, rows);
  const unsigned width = width_of(words.list.size());
  json += ",\"width\":" + std::to_string(width) + ",\"words\":[";
  for (const std::string_view word : words.list) {
    if (json.back() != '[') json += ',';
    append_json_text(json, word);
  }
  json += ']';
  append_planes(bytes, words.cells, width);
}

// Returns the column's numbers, NaN where one is missing.
std::vector<double> numbers_of(const TypedColumn& column, std::size_t rows) {
  std::vector<double> numbers(rows, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < rows; ++row) {
    if (!column.known[row]) continue;
    const double number =
        column.type == ValueType::real ? column.reals[row] : static_cast<double>(column.integers[row]);
    if (std::isfinite(number)) numbers[row] = number;
  }
  return numbers;
}

struct Multiples {
  std::int64_t least = 0;
  std::vector<std::uint64_t> cells;
};

// Returns the numbers as multiples of 1 / scale, and nothing where they are none.
std::optional<Multiples> multiples_of(const std::vector<double>& numbers, double scale) {
  std::vector<std::int64_t> whole(numbers.size());
  Multiples multiples{std::numeric_limits<std::int64_t>::max(), {}};
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    const double number = numbers[row];
    if (std::isnan(number)) continue;
    if (!(std::abs(number * scale) < largest_exact)) return std::nullopt;
    whole[row] = std::llround(number * scale);
    if (static_cast<double>(whole[row]) / scale != number) return std::nullopt;
    multiples.least = std::min(multiples.least, whole[row]);
    most = std::max(most, whole[row]);
  }
  if (most < multiples.least) multiples.least = 0;  // all are missing
  // The script adds up bytes as doubles, so the span has to be exact, too.
  else if (!(static_cast<double>(most) - static_cast<double>(multiples.least) < largest_exact))
    return std::nullopt;
  for (std::size_t row = 0; row < numbers.size(); ++row)
    multiples.cells.push_back(
        std::isnan(numbers[row]) ? 0 : static_cast<std::uint64_t>(whole[row] - multiples.least) + 1);
  return multiples;
}

void append_numbers(std::string& json, std::string& bytes, const TypedColumn& column, std::size_t rows) {
  const std::vector<double> numbers = numbers_of(column, rows);
  for (const int scale : {1, 1'000'000}) {
    const auto multiples = multiples_of(numbers, scale);
    if (!multiples) continue;
    const auto largest = std::ranges::max_element(multiples->cells);
    const unsigned width = width_of(largest == multiples->cells.end() ? 0 : *largest);
    json += ",\"width\":" + std::to_string(width) + ",\"scale\":" + std::to_string(scale) +
            ",\"least\":" + std::to_string(multiples->least);
    return append_planes(bytes, multiples->cells, width);
  }
  json += ",\"width\":8,\"scale\":0";
  std::vector<std::uint64_t> bits;
  bits.reserve(rows);
  for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
  append_planes(bytes, bits, 8);
}

}  // namespace

void append_packed_column(std::string& json, std::string& bytes, const TypedColumn& column,
                          std::size_t rows) {
  json += "{\"name\":";
  append_json_text(json, column.name);
  json += ",\"unit\":";
  append_json_text(json, column.unit);
  json += ",\"meaning\":";
  append_json_text(json, column.meaning);
  if (column.type == ValueType::text || column.type == ValueType::boolean)
    append_words(json, bytes, column, rows);
  else
    append_numbers(json, bytes, column, rows);
  json += '}';
}

}  // namespace orrery::core
