#include "support/trace_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/chakra_bytes.hpp"

namespace orrery::core::test {
namespace {

// These are the numbers of fields in docs/models/execution-traces.md, Files.
constexpr std::uint32_t id_field = 1, name_field = 2, type_field = 3, data_field = 5, start_field = 6,
                        duration_field = 7, inputs_field = 8;
constexpr std::uint32_t double_value = 3, uint64_value = 13, bool_value = 27, bool_list = 28,
                        string_value = 29, string_list = 30;

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

std::uint64_t type_of(const std::string& word) {
  constexpr std::array words{"invalid", "metadata", "load",    "store",
                             "compute", "send",     "receive", "collective"};
  const auto found = std::find(words.begin(), words.end(), word);
  return found != words.end() ? static_cast<std::uint64_t>(found - words.begin()) : std::stoull(word);
}

std::string list(const std::vector<std::string>& values, bool texts) {
  std::string entries;
  for (const std::string& value : values)
    entries += texts ? bytes_field(1, value) : number_field(1, std::stoull(value));
  return entries;
}

std::string value_of(const std::string& kind, const std::string& value) {
  if (kind == "uint64") return number_field(uint64_value, std::stoull(value));
  if (kind == "bool") return number_field(bool_value, std::stoull(value));
  if (kind == "string") return bytes_field(string_value, value);
  if (kind == "double") return fixed64_field(double_value, std::bit_cast<std::uint64_t>(std::stod(value)));
  if (kind == "bools") return bytes_field(bool_list, list(parts_of(value), false));
  if (kind == "strings") return bytes_field(string_list, list(parts_of(value), true));
  throw std::invalid_argument("unknown kind " + kind);
}

std::string field_of(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (word.ends_with(":none")) return attribute(word.substr(0, word.size() - 5), {});
  if (equals == std::string::npos) throw std::invalid_argument("no value in " + word);
  std::string key = word.substr(0, equals), value = word.substr(equals + 1), kind = "uint64";
  std::replace(value.begin(), value.end(), '_', ' ');
  if (key == "name") return bytes_field(name_field, value);
  if (key == "start") return number_field(start_field, std::stoull(value));
  if (key == "duration") return number_field(duration_field, std::stoull(value));
  if (key == "values") return bytes_field(inputs_field, bytes_field(1, value));
  if (key == "after") {
    std::string fields;
    for (const std::string& parent : parts_of(value)) fields += number_field(data_field, std::stoull(parent));
    return fields;
  }
  if (const std::size_t colon = key.find(':'); colon != std::string::npos) {
    kind = key.substr(colon + 1);
    key.resize(colon);
  }
  return attribute(key, value_of(kind, value));
}

}  // namespace

std::string trace_of_text(const std::string& text) {
  std::string records, after;
  std::size_t cut = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string type, word;
    if (!(words >> type) || type.starts_with('#')) continue;
    std::uint64_t number = 0;
    if (!(words >> number)) throw std::invalid_argument("no number in " + line);
    if (type == "cut") {
      cut = number;
    } else if (type == "zeros") {
      after.assign(number, '\0');
    } else {
      std::string node = number_field(id_field, number) + number_field(type_field, type_of(type));
      while (words >> word) node += field_of(word);
      records += record(node);
    }
  }
  std::string bytes = trace_bytes(records) + after;
  bytes.resize(bytes.size() - std::min(cut, bytes.size()));
  return bytes;
}

}  // namespace orrery::core::test
