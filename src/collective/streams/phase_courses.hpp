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
  StreamMembers members;  // members of one such group
  Time endpoint_delay;
  // Latencies of messages. Exchanges: [k * size + x] is that of message steps[k] to position x. Trees: first
  // those from each x to its parent, then those from the parent of each x to x.
  std::vector<Time> latencies;
  bool direct;                                   // see direct_course.hpp
  std::vector<Time> together;                    // end of position x if all start at 0
  std::map<std::uint32_t, std::uint64_t> times;  // number of runs, by the group's first rank

  // Exchanges: returns the position that position x receives the message of `step` from.
  std::uint32_t source(const ExchangeSchedule::Step& step, std::uint32_t x) const;
  Time reduction(std::uint64_t preparation) const;
};

class PhaseCourses {
 public:
  // Returns the time from the send of a message to its delivery.
  using Latency = std::function<Time(std::uint32_t source, std::uint32_t destination, Bytes bytes)>;

  explicit PhaseCourses(Latency latency) : latency_(std::move(latency)) {}

  // Returns the course of a phase on a group. `endpoint_delay` must always be the same for a shape.
  PhaseCourse& course(const StreamShape& shape, const StreamMembers& members, Time endpoint_delay);

  // Position x starts at starts[x] and ends at ends[x]. Throws OrderMatters when the order of events within
  // an instant decides when.
  static void run(const PhaseCourse& course, std::span<const Time> starts, std::span<Time> ends);

  // Calls visit(source, destination, bytes of a message, messages) for all that has been sent.
  using Visit = std::function<void(std::uint32_t, std::uint32_t, Bytes, std::uint64_t)>;
  void for_each_flow(const Visit& visit) const;
  // Does the same as if all groups of a machine of `npus` NPUs had sent what their first group sent.
  void for_each_flow_of_all_groups(std::uint32_t npus, const Visit& visit) const;

 private:
  Latency latency_;
  std::unordered_map<const StreamShape*, std::vector<std::unique_ptr<PhaseCourse>>> courses_;
};

}  // namespace orrery
