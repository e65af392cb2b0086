// What the terminal can show, and the line that shows progress on it.
#pragma once

#include <chrono>
#include <string>

#include "base/diagnostics.hpp"
#include "simulate/simulation.hpp"

namespace orrery {

// Whether the locale promises UTF-8.
bool terminal_draws_unicode();

// From the `first` on.
void print_warnings(const Warnings& warnings, std::size_t first = 0);

// Shows on stderr how far a run is, once work takes longer than a second and only on a terminal. Erases its
// line at the end.
class ProgressLine {
 public:
  explicit ProgressLine(std::string title);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Empty when nobody would see it.
  ProgressListener listener();

 private:
  void show(double share, Time now);

  std::string title_;
  bool on_terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_, next_;
};

}  // namespace orrery
