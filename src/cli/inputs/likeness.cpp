#include "cli/inputs/likeness.hpp"

#include <algorithm>

namespace orrery::core {

std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != line.npos && line[begin] != '#') return line;
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return {};
}

std::vector<std::string_view> keys_at_the_edge(std::string_view text) {
  constexpr std::string_view no_key = " \t\r#-%{}[]\"'";
  std::vector<std::string_view> keys;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t colon = line.find(':');
    if (colon != line.npos && !line.empty() && no_key.find(line[0]) == no_key.npos)
      keys.push_back(line.substr(0, colon));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return keys;
}

}  // namespace orrery::core
