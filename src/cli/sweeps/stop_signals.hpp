// Lets a sweep end in order when the user, or the system, asks the program to stop.
#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace orrery::core {

// As long as it lives, the usual signals end the sweep and not the program, so that it says how to go on. A
// second one ends the program. There is one of these at a time.
class StopSignals {
 public:
  // The exit code of a program that was stopped so.
  static constexpr int exit_code = 130;

  StopSignals() {
    for (const int signal : signals) std::signal(signal, stop);
  }
  ~StopSignals() {
    for (const int signal : signals) std::signal(signal, SIG_DFL);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // Returns whether a signal has come.
  static bool asked() { return asked_; }

 private:
  static constexpr std::array<int, 2> signals{SIGINT, SIGTERM};
  static inline std::atomic<bool> asked_ = false;
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal's handler sets it");

  static void stop(int signal) {
    asked_ = true;
    std::signal(signal, SIG_DFL);
  }
};

}  // namespace orrery::core
