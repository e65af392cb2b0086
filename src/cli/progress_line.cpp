#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>

#include "base/diagnostics/printable.hpp"
#include "base/text/readable.hpp"
#include "cli/flags/flag_values.hpp"

namespace orrery::core {

namespace {

enum class Shown { automatic, always, never };
constexpr std::array<EnumName<Shown>, 3> shown_words{
    {{"auto", Shown::automatic}, {"on", Shown::always}, {"off", Shown::never}}};

Shown shown = Shown::automatic;

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value && *value;
}

bool has_line() {
  if (shown != Shown::automatic) return shown == Shown::always;
  const char* const terminal = std::getenv("TERM");
  const bool draws = terminal && std::string_view(terminal) != "dumb";
  return draws && isatty(STDERR_FILENO) == 1 && !is_set("CI");
}

// A longer line would be wrapped and could not be erased.
std::size_t widest_line() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return (known ? size.ws_col : 80u) - 1u;
}

constexpr double min_share = 0.01, min_seconds = 1;  // from which on the rest can be told
constexpr double minute = 60, hour = 3600;

}  // namespace

std::string rough_time(double seconds) {
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  return fmt::format("{:.0f} h", seconds / hour);
}

void add_progress(CLI::App& command) {
  shown = Shown::automatic;
  command.add_option_function<std::string>(
      "--progress", [](const std::string& word) { shown = word_of_flag(shown_words, word, "--progress"); },
      "When to say on stderr how far work is: auto (on a terminal, after a second; default), on or off");
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
  return fmt::format("{} of {} runs{}, {:.0f}%", ended_, shares_.size(), failed, 100 * share());
}

std::string time_left(double share, double seconds) {
  if (share < min_share || share >= 1 || seconds < min_seconds) return {};
  return fmt::format("about {} left", rough_time(std::max(1.0, seconds * (1 - share) / share)));
}

ProgressLine::ProgressLine(std::string title, std::size_t runs)
    : title_(printable(title)),
      shown_(has_line()),
      since_(SteadyClock::now()),
      last_step_(since_),
      runs_(runs),
      number_of_runs_(runs) {
  if (shown_) drawing_.emplace([this] { draw_again_and_again(); });
}

ProgressLine::~ProgressLine() {
  if (!drawing_) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ended_.notify_one();
  drawing_->join();
}

void ProgressLine::begin(std::string what) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  since_ = last_step_ = SteadyClock::now();
  set(std::move(what), 0);
}

ProgressListener ProgressLine::listener(std::size_t run) {
  if (!shown_) return {};
  return [this, run](double share, Time simulated) {
    const std::lock_guard lock(mutex_);
    runs_.advance(run, share);
    set(number_of_runs_ > 1 ? runs_.text()
                            : fmt::format("{:.0f}% done, {} simulated", share * 100, readable(simulated)),
        runs_.share());
  };
}

void ProgressLine::end(std::size_t run, bool failed) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  runs_.end(run, failed);
  if (number_of_runs_ > 1) set(runs_.text(), runs_.share());
}

StepListener ProgressLine::steps() {
  if (!shown_) return [](std::size_t, std::size_t, std::string_view) {};
  return [this](std::size_t done, std::size_t of, std::string_view what) { set_steps(done, of, what, 0); };
}

void ProgressLine::set_steps(std::size_t done, std::size_t of, std::string_view what, std::size_t failed) {
  if (!shown_) return;
  const std::lock_guard lock(mutex_);
  const auto now = SteadyClock::now();
  if (steps_ != what) {
    steps_ = what;
    since_ = last_step_;
    done_before_ = done > 0 ? done - 1 : 0;
  }
  last_step_ = now;
  // What was done before the first step that is told took none of the time.
  const std::size_t left_then = of - std::min(of, done_before_);
  set(fmt::format("{} of {} {}{}", done, of, printable(what),
                  failed > 0 ? fmt::format(", {} failed", failed) : ""),
      left_then == 0
          ? 1
          : static_cast<double>(done - std::min(done, done_before_)) / static_cast<double>(left_then));
}

void ProgressLine::print(const std::string& line) {
  const std::lock_guard lock(mutex_);
  erase();
  std::cerr << line << '\n';
}

void ProgressLine::set(std::string what, double share) {
  what_ = std::move(what);
  share_ = share;
}

std::string ProgressLine::line() const {
  const double seconds = std::chrono::duration<double>(SteadyClock::now() - since_).count();
  std::string text = title_;
  if (!what_.empty()) text += ": " + what_;
  text += ", " + rough_time(seconds);
  if (const std::string left = time_left(share_, seconds); !left.empty()) text += ", " + left;
  return text.substr(0, widest_line());
}

void ProgressLine::draw_again_and_again() {
  constexpr std::chrono::milliseconds between(200), before(1000);
  std::unique_lock lock(mutex_);
  if (shown == Shown::automatic && ended_.wait_for(lock, before, [this] { return ends_; })) return;
  do {
    drawn_ = true;
    std::cerr << "\r" + line() + "\x1b[K" << std::flush;
  } while (!ended_.wait_for(lock, between, [this] { return ends_; }));
  erase();
}

void ProgressLine::erase() {
  if (drawn_) std::cerr << "\r\x1b[K" << std::flush;
  drawn_ = false;
}

}  // namespace orrery::core
