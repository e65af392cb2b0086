#include "support/headings.hpp"

#include <cctype>
#include <sstream>

#include "base/file.hpp"

namespace orrery::test {
namespace {

std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const unsigned char c : heading) {
    if (std::isalnum(c) != 0 || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(c));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

}  // namespace

std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> anchors;
  std::istringstream text(read_text_file(page));
  bool in_block = false;
  for (std::string line; std::getline(text, line);) {
    in_block ^= line.starts_with("```");
    const std::size_t level = line.find_first_not_of('#');
    if (!in_block && level > 0 && level != std::string::npos && line[level] == ' ')
      anchors.insert(anchor_of(line.substr(level + 1)));
  }
  return anchors;
}

}  // namespace orrery::test
