// Works out when the members of a group end a phase from when they start it. Where messages never meet,
// nothing else decides that, so none has to be simulated (docs/models/streams.md, Phases in one go).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "collective/streams/stream_plan.hpp"

namespace orrery {

// One phase on one kind of group, made ready for many runs. Positions are those in the group.
struct PhaseCourse {
  const StreamShape* shape;
  StreamMembers members;  // of one such group
  Time endpoint_delay;
  // Exchanges: of message steps[k] to position x, [k * size + x]. Trees: to the parent of x, then, behind
  // those, from it.
  std::vector<Time> latencies;
  bool direct;                                   // see direct_course.hpp
  std::vector<Time> together;                    // when all start at 0, x ends
  std::map<std::uint32_t, std::uint64_t> times;  // it ran, by the group's first rank

  // Exchanges: where position x receives message k from.
  std::uint32_t source(const ExchangeSchedule::Step& step, std::uint32_t x) const;
  Time reduction(std::uint64_t preparation) const;
};

class PhaseCourses {
 public:
  // From the send of a message to its delivery.
  using Latency = std::function<Time(std::uint32_t source, std::uint32_t destination, Bytes bytes)>;

  explicit PhaseCourses(Latency latency) : latency_(std::move(latency)) {}

  // The course of a group. `endpoint_delay` is one and the same for a shape.
  PhaseCourse& course(const StreamShape& shape, const StreamMembers& members, Time endpoint_delay);

  // Position x starts at starts[x] and ends at ends[x]. Throws OrderMatters when the order of events within
  // an instant decides when.
  static void run(const PhaseCourse& course, std::span<const Time> starts, std::span<Time> ends);

  // Calls visit(source, destination, bytes of a message, messages) for all that has been sent.
  using Visit = std::function<void(std::uint32_t, std::uint32_t, Bytes, std::uint64_t)>;
  void for_each_flow(const Visit& visit) const;
  // Likewise, if all groups of a machine of so many NPUs have done what their first one did.
  void for_each_flow_of_all_groups(std::uint32_t npus, const Visit& visit) const;

 private:
  Latency latency_;
  std::unordered_map<const StreamShape*, std::vector<std::unique_ptr<PhaseCourse>>> courses_;
};

}  // namespace orrery
