// Finds what the terminal can show, and draws the line that shows progress on it.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.hpp"
#include "simulate/simulation.hpp"

namespace orrery {

// Puts a text on standard output, with its control characters but line ends escaped.
void print(std::string_view text);
// Does the same for JSON.
void print_json(std::string_view json);

// Returns whether the locale promises UTF-8.
bool terminal_draws_unicode();

// Prints the warnings from number `first` on.
void print_warnings(const Warnings& warnings, std::size_t first = 0);

// The progress of several runs.
class RunsProgress {
 public:
  explicit RunsProgress(std::size_t runs) : shares_(runs, 0) {}

  void advance(std::size_t run, double share);  // from 0 to 1
  void end(std::size_t run, bool failed);

  // "12 of 40 runs, 1 failed, 31%"
  std::string text() const;

 private:
  std::vector<double> shares_;
  double sum_ = 0;  // sum of shares_
  std::size_t ended_ = 0, failed_ = 0;
};

// Shows on stderr how far runs are, once work takes longer than a second and only on a terminal. Erases its
// line at the end. May be used from several threads.
class ProgressLine {
 public:
  explicit ProgressLine(std::string title, std::size_t runs = 1);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Returns the listener for one of the runs; empty when nobody would see its progress.
  ProgressListener listener(std::size_t run = 0);
  void end(std::size_t run, bool failed);
  // Shows this instead of how far the runs are.
  void tell(const std::string& text);
  // Puts a line on stderr above the one that shows progress.
  void print(const std::string& line);

 private:
  using SteadyClock = std::chrono::steady_clock;

  // These must be called with mutex_ held.
  bool due(SteadyClock::time_point now);
  void show(const std::string& text, SteadyClock::time_point now);
  void erase();

  std::string title_;
  std::size_t runs_;
  bool on_terminal_;
  SteadyClock::time_point start_;
  std::mutex mutex_;  // guards all members below, and stderr
  bool shown_ = false;
  SteadyClock::time_point next_;
  RunsProgress progress_;
};

}  // namespace orrery
