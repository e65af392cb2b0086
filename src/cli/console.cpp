#include "cli/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "base/printable.hpp"
#include "base/readable.hpp"

namespace orrery {

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

void RunsProgress::advance(std::size_t run, double share) {
  sum_ += share - shares_[run];
  shares_[run] = share;
}

void RunsProgress::end(std::size_t run, bool failed) {
  advance(run, 1);
  ++ended_;
  if (failed) ++failed_;
}

std::string RunsProgress::text() const {
  const std::string failed = failed_ > 0 ? fmt::format(", {} failed", failed_) : "";
  return fmt::format("{} of {} runs{}, {:.0f}%", ended_, shares_.size(), failed,
                     100 * sum_ / static_cast<double>(shares_.size()));
}

ProgressLine::ProgressLine(std::string title, std::size_t runs)
    : title_(std::move(title)),
      runs_(runs),
      on_terminal_(isatty(STDERR_FILENO) == 1),
      start_(SteadyClock::now()),
      next_(start_ + std::chrono::seconds(1)),
      progress_(runs) {}

ProgressLine::~ProgressLine() {
  erase();
}

ProgressListener ProgressLine::listener(std::size_t run) {
  if (!on_terminal_) return {};
  return [this, run](double share, Time simulated) {
    const std::lock_guard lock(mutex_);
    progress_.advance(run, share);
    const auto now = SteadyClock::now();
    if (!due(now)) return;
    show(runs_ > 1 ? progress_.text()
                   : fmt::format("{:.0f}% of the operations, {} simulated", share * 100, readable(simulated)),
         now);
  };
}

void ProgressLine::end(std::size_t run, bool failed) {
  if (!on_terminal_) return;
  const std::lock_guard lock(mutex_);
  progress_.end(run, failed);
  const auto now = SteadyClock::now();
  if (runs_ > 1 && due(now)) show(progress_.text(), now);
}

void ProgressLine::tell(const std::string& text) {
  if (!on_terminal_) return;
  const std::lock_guard lock(mutex_);
  const auto now = SteadyClock::now();
  if (due(now)) show(text, now);
}

void ProgressLine::print(const std::string& line) {
  const std::lock_guard lock(mutex_);
  erase();
  std::cerr << line << '\n';
}

bool ProgressLine::due(SteadyClock::time_point now) {
  if (now < next_) return false;
  next_ = now + std::chrono::milliseconds(200);
  return true;
}

void ProgressLine::show(const std::string& text, SteadyClock::time_point now) {
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::cerr << fmt::format("\r{}: {} in {:.0f} s\x1b[K", title_, text, seconds) << std::flush;
}

void ProgressLine::erase() {
  if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace orrery
