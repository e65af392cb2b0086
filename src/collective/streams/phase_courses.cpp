#include "collective/streams/phase_courses.hpp"

#include <algorithm>

#include "collective/streams/direct_course.hpp"
#include "collective/streams/exchange_course.hpp"

namespace orrery {

namespace {

bool same_group(const StreamMembers& a, const StreamMembers& b) {
  if ((a.group == nullptr) != (b.group == nullptr)) return false;
  return a.group ? a.group->members == b.group->members : a.dimension == b.dimension;
}

void run_one_in_flight(const PhaseCourse& course, std::span<const Time> starts, std::span<Time> ready) {
  const auto& schedule = std::get<ExchangeSchedule>(course.shape->schedule);
  const std::uint32_t n = course.members.size();
  std::vector<Time> next(n);
  for (std::uint32_t x = 0; x < n; ++x) ready[x] = starts[x] + course.endpoint_delay + course.reduction(0);
  for (std::uint64_t k = 0; k < schedule.messages; ++k) {
    const std::size_t kind = k % schedule.steps.size();
    const Time preparation = course.endpoint_delay + course.reduction(k + 1);
    const Time* latencies = &course.latencies[kind * n];
    const auto step = [&](std::uint32_t x, std::uint32_t source) {
      next[x] = std::max(ready[x], ready[source] + latencies[x]) + preparation;
    };
    const std::uint32_t amount = schedule.steps[kind].amount;
    if (schedule.peer == ExchangeSchedule::Peer::shift) {
      for (std::uint32_t x = 0; x < amount; ++x) step(x, x + n - amount);
      for (std::uint32_t x = amount; x < n; ++x) step(x, x - amount);
    } else {
      for (std::uint32_t x = 0; x < n; ++x) step(x, x ^ amount);
    }
    std::copy(next.begin(), next.end(), ready.begin());
  }
}

void run_tree(const PhaseCourse& course, std::span<const Time> starts, std::span<Time> ends) {
  const auto& tree = std::get<TreeSchedule>(course.shape->schedule);
  const std::size_t n = tree.members;
  const Time reduction = course.shape->reductions[0];
  const std::vector<std::uint32_t> order = tree.downwards();
  std::vector<Time> sent_up(n);
  for (std::size_t i = n; i-- > 0;) {
    const std::uint32_t x = order[i];
    sent_up[x] = starts[x];
    Time gathered = starts[x] + course.endpoint_delay;  // a leaf's own data
    const TreeSchedule::Node node = tree.node(x);
    for (const std::int32_t child : {node.left, node.right}) {
      if (child == TreeSchedule::none) continue;
      const auto c = static_cast<std::size_t>(child);
      const Time received = std::max(starts[x], sent_up[c] + course.latencies[c]);
      gathered = std::max(gathered, received + course.endpoint_delay + reduction);
    }
    sent_up[x] = gathered;
  }
  for (const std::uint32_t x : order) {
    const TreeSchedule::Node node = tree.node(x);
    if (node.parent == TreeSchedule::none) {
      ends[x] = sent_up[x];
      continue;
    }
    const Time from_parent = ends[static_cast<std::size_t>(node.parent)] + course.latencies[n + x];
    ends[x] = std::max(sent_up[x], from_parent) + course.endpoint_delay +
              (node.left == TreeSchedule::none ? Time() : reduction);
  }
}

// Visits what the group whose first rank is `first` sends in `times` phases.
void visit_flows(const PhaseCourse& course, std::uint32_t first, std::uint64_t times,
                 const PhaseCourses::Visit& visit) {
  StreamMembers members = course.members;
  members.base = first;
  const std::uint32_t n = members.size();
  if (const auto* exchange = std::get_if<ExchangeSchedule>(&course.shape->schedule)) {
    const std::uint64_t kinds = exchange->steps.size();
    for (std::uint64_t kind = 0; kind < std::min(kinds, exchange->messages); ++kind) {
      const std::uint64_t messages = (exchange->messages + kinds - 1 - kind) / kinds;
      const auto& step = exchange->steps[kind];
      for (std::uint32_t x = 0; x < n; ++x)
        visit(members.rank_at(course.source(step, x)), members.rank_at(x), step.bytes, messages * times);
    }
    return;
  }
  const auto& tree = std::get<TreeSchedule>(course.shape->schedule);
  for (std::uint32_t x = 0; x < n; ++x) {
    const std::int32_t above = tree.node(x).parent;
    if (above == TreeSchedule::none) continue;
    const std::uint32_t parent = members.rank_at(static_cast<std::uint32_t>(above));
    visit(members.rank_at(x), parent, tree.bytes, times);
    visit(parent, members.rank_at(x), tree.bytes, times);
  }
}

}  // namespace

std::uint32_t PhaseCourse::source(const ExchangeSchedule::Step& step, std::uint32_t x) const {
  return ExchangeSchedule::sender(std::get<ExchangeSchedule>(shape->schedule).peer, x, step.amount,
                                  members.size());
}

Time PhaseCourse::reduction(std::uint64_t preparation) const {
  if (shape->reducing.empty() || shape->reducing[preparation] == 0) return {};
  return shape->reductions[preparation % shape->reductions.size()];
}

PhaseCourse& PhaseCourses::course(const StreamShape& shape, const StreamMembers& members,
                                  Time endpoint_delay) {
  auto& known = courses_[&shape];
  for (const auto& course : known)
    if (same_group(course->members, members)) return *course;
  PhaseCourse made{&shape, members, endpoint_delay, {}, false, {}, {}};
  const std::uint32_t n = members.size();
  if (const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule)) {
    // Steps behind the last message only tell how much is prepared.
    const std::size_t sent = std::min<std::size_t>(exchange->steps.size(), exchange->messages);
    made.latencies.reserve(sent * n);
    for (const auto& step : std::span(exchange->steps).first(sent)) {
      for (std::uint32_t x = 0; x < n; ++x)
        made.latencies.push_back(
            latency_(members.rank_at(made.source(step, x)), members.rank_at(x), step.bytes));
    }
  } else {
    const auto& tree = std::get<TreeSchedule>(shape.schedule);
    for (const bool up : {true, false}) {
      for (std::uint32_t x = 0; x < n; ++x) {
        Time latency;
        const std::int32_t above = tree.node(x).parent;
        if (above != TreeSchedule::none) {
          const std::uint32_t parent = members.rank_at(static_cast<std::uint32_t>(above));
          latency = up ? latency_(members.rank_at(x), parent, tree.bytes)
                       : latency_(parent, members.rank_at(x), tree.bytes);
        }
        made.latencies.push_back(latency);
      }
    }
  }
  made.direct = std::holds_alternative<ExchangeSchedule>(shape.schedule) && is_direct_course(made);
  made.together.resize(n);
  run(made, std::vector<Time>(n), made.together);
  return *known.emplace_back(std::make_unique<PhaseCourse>(std::move(made)));
}

void PhaseCourses::run(const PhaseCourse& course, std::span<const Time> starts, std::span<Time> ends) {
  const auto* exchange = std::get_if<ExchangeSchedule>(&course.shape->schedule);
  if (!exchange) {
    run_tree(course, starts, ends);
  } else if (exchange->in_flight == 1 && exchange->gate == 0) {
    run_one_in_flight(course, starts, ends);
  } else if (!course.direct || !run_direct(course, starts, ends)) {
    ExchangeCourse(course).run(starts, ends);
  }
}

void PhaseCourses::for_each_flow(const Visit& visit) const {
  for (const auto& [shape, courses] : courses_) {
    for (const auto& course : courses) {
      for (const auto& [first, times] : course->times) visit_flows(*course, first, times, visit);
    }
  }
}

void PhaseCourses::for_each_flow_of_all_groups(std::uint32_t npus, const Visit& visit) const {
  for (const auto& [shape, courses] : courses_) {
    for (const auto& course : courses) {
      const LogicalDimension& dimension = course->members.dimension;
      for (std::uint32_t rank = 0; rank < npus; ++rank) {
        if (dimension.position(static_cast<int>(rank)) != 0) continue;
        for (const auto& [first, times] : course->times) visit_flows(*course, rank, times, visit);
      }
    }
  }
}

}  // namespace orrery
