// Servers with one queue, such as cores and copy engines.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace orrery {

// Jobs are served in the order in which they come.
class Servers {
 public:
  struct Job {  // the next segment of a message in a stage
    std::uint32_t message, stage;
  };

  explicit Servers(int count) : free_(count) {}

  // Returns whether the job is served at once. Otherwise it waits.
  bool enter(const Job& job) {
    if (free_ > 0) {
      --free_;
      return true;
    }
    waiting_.push_back(job);
    return false;
  }
  // Called when a job has been served. Returns the job that is served now in its place.
  std::optional<Job> leave() {
    if (waiting_.empty()) {
      ++free_;
      return std::nullopt;
    }
    const Job next = waiting_.front();
    waiting_.pop_front();
    return next;
  }

 private:
  int free_;
  std::deque<Job> waiting_;
};

}  // namespace orrery
