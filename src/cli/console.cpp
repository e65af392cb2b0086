#include "cli/console.hpp"

#include <cstdlib>
#include <iostream>

#include "base/diagnostics/printable.hpp"

namespace orrery::core {

void print(std::string_view text) {
  std::cout << printable_lines(text);
}

void print_json(std::string_view json) {
  std::cout << printable_json(json);
}

bool terminal_draws_unicode() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (!value || !*value) continue;
    const std::string locale = value;
    return locale.find("UTF-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

void print_warnings(const Warnings& warnings, std::size_t first) {
  for (std::size_t i = first; i < warnings.lines().size(); ++i) std::cerr << warnings.lines()[i] << '\n';
}

}  // namespace orrery::core
