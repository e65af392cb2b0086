// Tells how much a text looks like a file of certain keys.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <vector>

#include "cli/inputs/input_kinds.hpp"

namespace orrery::core {

// Returns the first line that is neither blank nor a remark.
std::string_view first_line(std::string_view text);

// Returns the keys of a map in YAML that stand at the left edge, without reading all of it.
std::vector<std::string_view> keys_at_the_edge(std::string_view text);

// Returns whether a word is one of these keys, which are words or paths of a word.
inline bool is_key(std::string_view word, const auto& known) {
  return std::ranges::any_of(known, [&](const auto& key) {
    std::string_view path;
    if constexpr (requires { key.path; })
      path = key.path;
    else
      path = key;
    if (path.starts_with('.')) path.remove_prefix(1);
    return path == word;
  });
}

// Returns the likeness of a CSV file, whose first line names the columns.
template <auto columns>
std::size_t likeness_of_table(std::string_view text) {
  const std::string_view line = first_line(text);
  if (line.find(',') == line.npos) return 0;
  const auto known = columns();
  std::string_view rest = line;
  while (true) {
    const std::size_t comma = rest.find(',');
    std::string_view cell = rest.substr(0, comma);
    while (!cell.empty() && std::isspace(static_cast<unsigned char>(cell.front())) != 0)
      cell.remove_prefix(1);
    while (!cell.empty() && std::isspace(static_cast<unsigned char>(cell.back())) != 0) cell.remove_suffix(1);
    if (!is_key(cell, known)) return 0;
    if (comma == rest.npos) return certain_likeness;
    rest.remove_prefix(comma + 1);
  }
}

// Returns the likeness of a map in YAML: how many of the keys at its left edge the kind knows.
template <auto keys>
std::size_t likeness_of_map(std::string_view text) {
  const auto known = keys();
  return static_cast<std::size_t>(std::ranges::count_if(
      keys_at_the_edge(text), [&](std::string_view key) { return is_key(key, known); }));
}

}  // namespace orrery::core
