#include "cli/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace orrery {

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

ProgressLine::ProgressLine(std::string title)
    : title_(std::move(title)),
      on_terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      next_(start_ + std::chrono::seconds(1)) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
}

ProgressListener ProgressLine::listener() {
  if (!on_terminal_) return {};
  return [this](double share, Time now) { show(share, now); };
}

void ProgressLine::show(double share, Time now) {
  const auto clock = std::chrono::steady_clock::now();
  if (clock < next_) return;
  next_ = clock + std::chrono::milliseconds(200);
  shown_ = true;
  const double seconds = std::chrono::duration<double>(clock - start_).count();
  std::cerr << fmt::format("\r{}: {:.0f}% of the operations, {:.3f} ms simulated in {:.0f} s\x1b[K", title_,
                           share * 100, now.us() / 1000, seconds)
            << std::flush;
}

}  // namespace orrery
