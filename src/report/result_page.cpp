#include "report/result_page.hpp"

#include <zlib.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/base64.hpp"
#include "base/embedded_file.hpp"
#include "report/origin.hpp"

namespace orrery {

namespace {

void append_text(std::string& json, const std::string& text) {
  json += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class Number>
void append_number(std::string& json, Number number) {
  char digits[32];
  json.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}
void append_number(std::string& json, double number) {
  if (std::isfinite(number))
    append_number<double>(json, number);
  else
    json += "null";
}

// Adds a list, with `append` for each of the items.
template <class Items, class Append>
void append_list(std::string& json, const Items& items, const Append& append) {
  json += '[';
  for (const auto& item : items) {
    if (json.back() != '[') json += ',';
    append(json, item);
  }
  json += ']';
}

// Returns how much larger each number is than the one before it, in millionths; empty where the numbers are
// no whole multiples of that, as times are, which have six decimals. Differences repeat, so they take a
// twentieth of the place when they are compressed.
std::vector<std::int64_t> differences_of(const std::vector<double>& numbers) {
  constexpr double parts = 1e6, largest = 9e15;  // below 2^53: whole numbers are exact
  std::vector<std::int64_t> differences;
  std::int64_t last = 0;
  for (const double number : numbers) {
    if (!(std::abs(number * parts) < largest)) return {};
    const std::int64_t next = std::llround(number * parts);
    if (static_cast<double>(next) / parts != number) return {};
    differences.push_back(next - last);
    last = next;
  }
  return differences;
}

void append_column(std::string& json, const ResultColumn& column) {
  json += "{\"name\":";
  append_text(json, column.name);
  if (column.has_words()) {
    json += ",\"words\":";
    append_list(json, column.words, append_text);
    json += ",\"places\":";
    append_list(json, column.places, append_number<std::uint32_t>);
  } else if (const auto differences = differences_of(column.numbers); !differences.empty()) {
    json += ",\"differences\":";
    append_list(json, differences, append_number<std::int64_t>);
  } else {
    json += ",\"numbers\":";
    append_list(json, column.numbers, [](std::string& text, double number) { append_number(text, number); });
  }
  json += '}';
}

void append_table(std::string& json, const ResultTable& table) {
  json += "{\"name\":";
  append_text(json, table.name);
  json += ",\"run\":";
  append_text(json, table.run);
  json += ",\"columns\":";
  append_list(json, table.columns, append_column);
  json += '}';
}

void append_set(std::string& json, const ResultSet& set) {
  json += "{\"name\":";
  append_text(json, set.name);
  json += ",\"origin\":" + (set.origin.empty() ? "null" : set.origin) + ",\"tables\":";
  append_list(json, set.tables, append_table);
  json += '}';
}

// As browsers' DecompressionStream("deflate") takes it, RFC 1950.
std::string deflated(const std::string& text) {
  std::string bytes(compressBound(static_cast<uLong>(text.size())), '\0');
  uLongf size = static_cast<uLongf>(bytes.size());
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                static_cast<uLong>(text.size()), Z_DEFAULT_COMPRESSION) != Z_OK)
    throw std::runtime_error("zlib cannot compress the tables of a page");
  bytes.resize(size);
  return bytes;
}

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

}  // namespace

std::string result_page(const std::vector<ResultSet>& sets) {
  std::string names;
  for (const ResultSet& set : sets) names += (names.empty() ? "" : ", ") + set.name;
  std::string json = "{\"version\":";
  append_text(json, std::string(orrery_version));
  json += ",\"sets\":";
  append_list(json, sets, append_set);
  json += '}';
  std::string page(embedded_page());
  const auto fill = [&](std::string_view mark, const std::string& text) {
    page.replace(page.find(mark), mark.size(), text);
  };
  fill("<!--tables-->", base64(deflated(json)));  // the title may hold the mark, so it comes last
  fill("<!--title-->", escaped(names));
  return page;
}

}  // namespace orrery
