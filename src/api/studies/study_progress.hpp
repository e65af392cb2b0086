// Tells a program how far a study is, by one thread at a time and not too often, and stops the study.
#pragma once

#include <chrono>
#include <mutex>

#include "base/diagnostics/diagnostics.hpp"
#include "base/progress.hpp"
#include "orrery/findings.hpp"

namespace orrery::core {

class StudyProgress {
 public:
  // Keeps a reference.
  explicit StudyProgress(const StudyOptions& options) : options_(options) {}

  // Return what studies and simulations call. They throw Stopped where the program has asked to stop.
  StepListener steps() {
    return [this](std::size_t done, std::size_t of, std::string_view) {
      tell(of == 0 ? 1 : static_cast<double>(done) / static_cast<double>(of));
    };
  }
  ProgressListener share() {
    return [this](double share, Time) { tell(share); };
  }

 private:
  void tell(double share);

  const StudyOptions& options_;
  std::mutex mutex_;  // guards the time, and the program's listener
  std::chrono::steady_clock::time_point told_;
};

}  // namespace orrery::core
