// Tells a program how far its runs are, by one thread at a time and not too often.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

#include "orrery/experiment.hpp"

namespace orrery::core {

class ProgressReport {
 public:
  // `listener` may be null. Several threads may call the other functions.
  ProgressReport(std::function<void(const Progress&)> listener, std::size_t runs)
      : listener_(std::move(listener)), shares_(runs, 0.0) {
    progress_.runs = runs;
  }

  void advance(std::size_t run, double share);
  void end(std::size_t run, bool failed);

 private:
  void set_share(std::size_t run, double share);
  void tell(bool at_once);

  const std::function<void(const Progress&)> listener_;
  std::mutex mutex_;  // guards all members below, and the listener
  Progress progress_;
  std::vector<double> shares_;
  double sum_ = 0;  // of shares_
  std::chrono::steady_clock::time_point told_;
};

}  // namespace orrery::core
