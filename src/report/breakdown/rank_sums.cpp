#include "report/breakdown/rank_sums.hpp"

#include <algorithm>

namespace orrery::core {

Time RankSum::mean(std::uint64_t ranks) const {
  constexpr Int128 longest = INT64_MAX;
  return ranks == 0
             ? Time()
             : Time::from_ps(static_cast<std::int64_t>(std::min(sum_ / static_cast<Int128>(ranks), longest)));
}

void MeanParts::add(const TimeParts& parts, std::uint64_t ranks) {
  compute_.add(parts.compute, ranks);
  host_.add(parts.host, ranks);
  memory_.add(parts.memory, ranks);
  update_.add(parts.update, ranks);
  contention_.add(parts.contention, ranks);
  bubble_.add(parts.bubble, ranks);
  exposed_.add(parts.exposed, ranks);
  idle_.add(parts.idle, ranks);
  ranks_ += ranks;
}

void MeanParts::add(const MeanParts& other) {
  compute_.add(other.compute_);
  host_.add(other.host_);
  memory_.add(other.memory_);
  update_.add(other.update_);
  contention_.add(other.contention_);
  bubble_.add(other.bubble_);
  exposed_.add(other.exposed_);
  idle_.add(other.idle_);
  ranks_ += other.ranks_;
}

TimeParts MeanParts::mean(Time step) const {
  TimeParts mean;
  mean.compute = compute_.mean(ranks_);
  mean.host = host_.mean(ranks_);
  mean.memory = memory_.mean(ranks_);
  mean.update = update_.mean(ranks_);
  mean.contention = contention_.mean(ranks_);
  mean.bubble = bubble_.mean(ranks_);
  mean.idle = idle_.mean(ranks_);
  mean.exposed = ranks_ == 0 ? Time() : step - mean.compute - mean.bubble - mean.idle;
  return mean;
}

}  // namespace orrery::core
