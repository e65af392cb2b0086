// Shows on stderr how far work is, once it takes longer than a second.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/progress.hpp"

namespace CLI {
class App;
}

namespace orrery::core {

// Adds --progress, which says for the whole process when progress is shown.
void add_progress(CLI::App& command);

// Keeps the progress of several runs.
class RunsProgress {
 public:
  explicit RunsProgress(std::size_t runs) : shares_(runs, 0) {}

  void advance(std::size_t run, double share);  // from 0 to 1
  void end(std::size_t run, bool failed);

  double share() const { return shares_.empty() ? 0 : sum_ / static_cast<double>(shares_.size()); }
  // Returns a text such as "12 of 40 runs, 1 failed, 31%".
  std::string text() const;

 private:
  std::vector<double> shares_;
  double sum_ = 0;  // sum of shares_
  std::size_t ended_ = 0, failed_ = 0;
};

// Returns "40 s", "3 min" or "5 h" for a time that nobody knows more exactly.
std::string rough_time(double seconds);

// Returns "about 40 s left" for work of which a share is done after so many seconds. It is empty where that
// says nothing yet.
std::string time_left(double share, double seconds);

// One line that says what is done, since when and for how much longer. A thread of its own draws it again and
// again, so that work need not do it. Without --progress the line is there only on a terminal, but not in CI,
// and nothing happens elsewhere. The line is erased at the end. Several threads may use it.
class ProgressLine {
 public:
  explicit ProgressLine(std::string title, std::size_t runs = 1);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Shows from now on that this is done, when nobody knows how far it is, such as "reading traces".
  void begin(std::string what);
  // Returns the listener for one of the runs. It is empty when nobody would see its progress.
  ProgressListener listener(std::size_t run = 0);
  void end(std::size_t run, bool failed);
  // Returns the listener for work that consists of steps.
  StepListener steps();
  // Shows that so many steps are done, of which some have failed. Those that were done before the first one
  // that is told do not count for the time that is left.
  void set_steps(std::size_t done, std::size_t of, std::string_view what, std::size_t failed);
  // Puts a line on stderr above the one that shows progress.
  void print(const std::string& line);

 private:
  using SteadyClock = std::chrono::steady_clock;

  // These must be called with mutex_ held.
  void set(std::string what, double share);
  std::string line() const;
  void erase();

  void draw_again_and_again();

  const std::string title_;
  const bool shown_;  // whether there is a line at all
  std::mutex mutex_;  // guards all members below, and stderr
  std::condition_variable ended_;
  bool ends_ = false, drawn_ = false;
  std::string what_;
  std::string steps_;                  // what the steps that are under way are called
  double share_ = 0;                   // share of the present work that is done
  std::size_t done_before_ = 0;        // of these, when the first one was told
  SteadyClock::time_point since_;      // the beginning of the present work
  SteadyClock::time_point last_step_;  // when a step ended last
  RunsProgress runs_;
  std::size_t number_of_runs_;
  std::optional<std::thread> drawing_;
};

// Does work when nobody knows how far it is, such as "reading flows", with a line that says so.
template <class Work>
auto with_progress(std::string title, std::string what, const Work& work) {
  ProgressLine progress(std::move(title));
  progress.begin(std::move(what));
  return work();
}

}  // namespace orrery::core
