// One rank that is simulated message by message and stands for all.
//
// All ranks do the same at the same times: while it sends a message to one peer, another peer sends the same
// one to it. That one is sent in its stead, so whatever the rank waits for comes.
#pragma once

#include "collective/streams/phase_courses.hpp"
#include "collective/streams/rank_order.hpp"

namespace orrery {

struct RankForAll {
  PhaseCourses& courses;
  RankOrder order;

  // Keeps a reference.
  explicit RankForAll(PhaseCourses& known) : courses(known) {}

  // The rank starts a phase. Throws OrderMatters when ranks do not do the same there at the same times.
  void start(const StreamShape& shape, const StreamMembers& members, Time endpoint_delay);
};

}  // namespace orrery
