#include "simulate/contention/endpoint_contention.hpp"

#include <algorithm>
#include <iterator>

namespace orrery::core {

namespace {

constexpr std::int64_t million = 1'000'000;

// Return value * factor / divisor, rounded down or up to whole picoseconds.
__extension__ using Int128 = __int128;
Time scaled_down(Time value, std::int64_t factor, std::int64_t divisor) {
  return Time::from_ps(static_cast<std::int64_t>(Int128(value.ps()) * factor / divisor));
}
Time scaled_up(Time value, std::int64_t factor, std::int64_t divisor) {
  return Time::from_ps(static_cast<std::int64_t>((Int128(value.ps()) * factor + divisor - 1) / divisor));
}

template <class Tasks>
auto task_of(Tasks& tasks, std::uint32_t id) {
  return std::ranges::find_if(tasks, [id](const auto& task) { return task.id == id; });
}

}  // namespace

// Computations that run beside each other slow a collective down as the one does that slows it down most.
std::uint32_t EndpointContention::Endpoint::slows_by_ppm() const {
  std::uint32_t most = 0;
  for (const Task& task : computations) most = std::max(most, task.contention.slows_by_ppm);
  return most;
}

EndpointContention::Endpoint& EndpointContention::settled(ClassId of_class) {
  Endpoint& endpoint = endpoints_[of_class.index()];
  const Time now = loop_.time();
  const Time passed = now - endpoint.since;
  endpoint.since = now;
  if (passed == Time()) return endpoint;
  const Pace pace = pace_of(endpoint);
  Time longest;  // by which a computation has taken longer
  for (Task& task : endpoint.computations) {
    const Time done = pace.communicates
                          ? scaled_down(passed, task.alone.ps(), (task.alone + task.contention.longer).ps())
                          : passed;
    task.left = std::max(Time(), task.left - done);
    longest = std::max(longest, passed - done);
  }
  endpoint.longer += longest;
  const Time lost = scaled_down(passed, pace.slows_by_ppm, million);
  if (pace.communicates) endpoint.lost += lost;
  for (Task& task : endpoint.late) task.left = std::max(Time(), task.left - (passed - lost));
  return endpoint;
}

void EndpointContention::schedule_computation(ClassId of_class, Task& task) {
  Endpoint& endpoint = endpoints_[of_class.index()];
  task.number = ++endpoint.last_number;
  const Time wait = endpoint.communicates()
                        ? scaled_up(task.left, (task.alone + task.contention.longer).ps(), task.alone.ps())
                        : task.left;
  timers_.after(of_class, wait, event_of(events_.of_computation, of_class, task));
}

void EndpointContention::schedule_late(ClassId of_class, Task& task) {
  Endpoint& endpoint = endpoints_[of_class.index()];
  task.number = ++endpoint.last_number;
  const Time wait = scaled_up(task.left, million, million - endpoint.slows_by_ppm());
  timers_.after(of_class, wait, event_of(events_.of_collective, of_class, task));
}

void EndpointContention::reschedule(ClassId of_class, const Pace& before) {
  Endpoint& endpoint = endpoints_[of_class.index()];
  const Pace now = pace_of(endpoint);
  if (now.communicates != before.communicates)
    for (Task& task : endpoint.computations) schedule_computation(of_class, task);
  if (now.slows_by_ppm != before.slows_by_ppm)
    for (Task& task : endpoint.late) schedule_late(of_class, task);
}

void EndpointContention::compute(ClassId of_class, Id id, Time alone, const Contention& contention) {
  Endpoint& endpoint = settled(of_class);
  const Pace before = pace_of(endpoint);
  endpoint.computations.push_back({id, alone, alone, contention, 0});
  schedule_computation(of_class, endpoint.computations.back());
  reschedule(of_class, before);
}

void EndpointContention::join(ClassId of_class, Id id) {
  Endpoint& endpoint = settled(of_class);
  const Pace before = pace_of(endpoint);
  endpoint.joined.push_back({id, endpoint.lost});
  reschedule(of_class, before);
}

bool EndpointContention::arrive(ClassId of_class, Id id) {
  Endpoint& endpoint = settled(of_class);
  const Pace before = pace_of(endpoint);
  const auto joined = task_of(endpoint.joined, id);
  const Time behind = endpoint.lost - joined->lost;
  endpoint.joined.erase(joined);
  if (behind > Time()) {
    endpoint.late.push_back({id, behind, behind, {}, 0});
    schedule_late(of_class, endpoint.late.back());
    return false;
  }
  reschedule(of_class, before);
  return true;
}

bool EndpointContention::computed(const Event& event) {
  const ClassId of_class(event.rank);
  Endpoint& endpoint = settled(of_class);
  const auto task = task_of(endpoint.computations, event.object);
  if (task == endpoint.computations.end() || task->number != event.extra) return false;
  if (task->left > Time()) {
    schedule_computation(of_class, *task);
    return false;
  }
  const Pace before = pace_of(endpoint);
  endpoint.computations.erase(task);
  reschedule(of_class, before);
  return true;
}

bool EndpointContention::caught_up(const Event& event) {
  const ClassId of_class(event.rank);
  Endpoint& endpoint = settled(of_class);
  const auto task = task_of(endpoint.late, event.object);
  if (task == endpoint.late.end() || task->number != event.extra) return false;
  if (task->left > Time()) {
    schedule_late(of_class, *task);
    return false;
  }
  const Pace before = pace_of(endpoint);
  endpoint.late.erase(task);
  reschedule(of_class, before);
  return true;
}

}  // namespace orrery::core
