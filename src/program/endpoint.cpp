#include "program/endpoint.hpp"

#include <algorithm>

namespace orrery::core {

namespace {

constexpr std::int64_t million = 1'000'000;

// Return value * factor / divisor, rounded down or up to whole picoseconds.
__extension__ using Int128 = __int128;
Time scaled_down(Time value, std::int64_t factor, std::int64_t divisor) {
  if (factor == divisor) return value;
  return Time::from_ps(static_cast<std::int64_t>(Int128(value.ps()) * factor / divisor));
}
Time scaled_up(Time value, std::int64_t factor, std::int64_t divisor) {
  if (factor == divisor) return value;
  return Time::from_ps(static_cast<std::int64_t>((Int128(value.ps()) * factor + divisor - 1) / divisor));
}

template <class Tasks>
auto task_of(Tasks& tasks, std::uint32_t id) {
  return std::ranges::find_if(tasks, [id](const auto& task) { return task.id == id; });
}

}  // namespace

Contention Contention::of_part(Time part, Time whole) const {
  if (whole == Time()) return {};
  return {scaled_down(longer, part.ps(), whole.ps()), slows_by_ppm,
          scaled_down(within, part.ps(), whole.ps())};
}

// Computations that run beside each other slow a collective down as the one does that slows it down most.
std::uint32_t Endpoint::slows_by_ppm() const {
  std::uint32_t most = 0;
  for (const Task& task : computations_) most = std::max(most, task.contention.slows_by_ppm);
  return most;
}

void Endpoint::settle(Time now) {
  const Time passed = now - since_;
  since_ = now;
  if (passed == Time()) return;
  const bool beside = communicates();
  Time longest;  // by which a computation has taken longer
  for (Task& task : computations_) {
    const Time done =
        beside ? scaled_down(passed, task.alone.ps(), (task.alone + task.contention.longer).ps()) : passed;
    task.left = std::max(Time(), task.left - done);
    longest = std::max(longest, passed - done);
  }
  longer_ += longest;
  if (!beside) return;
  const Time lost = scaled_down(passed, slows_by_ppm(), million);
  lost_ += lost;
  for (Task& task : late_) task.left = std::max(Time(), task.left - (passed - lost));
}

void Endpoint::compute(Time now, Id id, Time alone, const Contention& contention) {
  settle(now);
  computations_.push_back({id, alone, alone, contention});
}

void Endpoint::join(Time now, Id id) {
  settle(now);
  joined_.push_back({id, lost_});
}

bool Endpoint::arrive(Time now, Id id) {
  settle(now);
  const auto joined = task_of(joined_, id);
  const Time behind = lost_ - joined->lost;
  joined_.erase(joined);
  if (behind == Time()) return true;
  late_.push_back({id, behind, behind, {}});
  return false;
}

Time Endpoint::rest_of_computation(const Task& task) const {
  return communicates() ? scaled_up(task.left, (task.alone + task.contention.longer).ps(), task.alone.ps())
                        : task.left;
}

Time Endpoint::rest_of_late(const Task& task) const {
  return scaled_up(task.left, million, million - slows_by_ppm());
}

std::optional<Endpoint::End> Endpoint::next() const {
  std::optional<End> next;
  const auto consider = [&](const End& end) {
    if (!next || end.at < next->at) next = end;
  };
  for (const Task& task : computations_) consider({since_ + rest_of_computation(task), task.id, true});
  for (const Task& task : late_) consider({since_ + rest_of_late(task), task.id, false});
  return next;
}

void Endpoint::end(const End& end) {
  settle(end.at);
  std::vector<Task>& tasks = end.computation ? computations_ : late_;
  tasks.erase(task_of(tasks, end.id));
}

}  // namespace orrery::core
