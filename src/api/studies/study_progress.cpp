#include "api/studies/study_progress.hpp"

namespace orrery::core {

void StudyProgress::tell(double share) {
  if (options_.stop.stop_requested()) throw Stopped();
  if (!options_.progress) return;
  constexpr std::chrono::milliseconds least_between(20);
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (share < 1 && now - told_ < least_between) return;
  told_ = now;
  options_.progress(share);
}

}  // namespace orrery::core
