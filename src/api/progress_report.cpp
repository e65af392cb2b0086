#include "api/progress_report.hpp"

#include <algorithm>

namespace orrery::core {

void ProgressReport::advance(std::size_t run, double share) {
  if (!listener_) return;
  const std::lock_guard lock(mutex_);
  set_share(run, share);
  tell(false);
}

void ProgressReport::end(std::size_t run, bool failed) {
  if (!listener_) return;
  const std::lock_guard lock(mutex_);
  set_share(run, 1);
  ++progress_.ended;
  if (failed) ++progress_.failed;
  tell(progress_.ended == progress_.runs);
}

void ProgressReport::set_share(std::size_t run, double share) {
  sum_ += share - std::exchange(shares_[run], share);
  progress_.share = std::clamp(sum_ / static_cast<double>(shares_.size()), 0.0, 1.0);
}

void ProgressReport::tell(bool at_once) {
  constexpr std::chrono::milliseconds between(50);
  const auto now = std::chrono::steady_clock::now();
  if (!at_once && now - told_ < between) return;
  told_ = now;
  listener_(progress_);
}

}  // namespace orrery::core
