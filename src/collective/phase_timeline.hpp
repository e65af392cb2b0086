// How a phase goes on one group, known without a simulation of the machine: its members start together and
// the network is free of contention, so nothing outside the group matters.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/dialect.hpp"
#include "collective/phase_engine.hpp"
#include "network/contention_free_network.hpp"

namespace orrery {

// Stamps are spans from the phase's start.
struct PhaseTimeline {
  std::vector<Stamp> ends;  // by position; a single entry when all members end together
  Stamp latest = 0;         // of them
  // Where all members exchange one message at a time: when the last one leaves and arrives, and whether what
  // it brings is then added to own data, and for how long.
  struct LastMessage {
    bool known = false;
    Stamp sent = 0, arrived = 0;
    bool reduces = false;
    Time reduction;
  } last;
  ReceiveStatistics received;  // by position 0
  std::vector<Bytes> payload;  // sent by position 0, by dimension of the topology
  std::uint64_t messages = 0;  // sent by all members, handshakes included
  // Equal for phases that send messages between the same members at the same times and differ in bytes only.
  std::uint32_t course = 0;
  // The order of events within an instant decides what happens, which only a simulation of the whole machine
  // knows. (ASTRA-sim 1.0's direct all-reduce, where a message is ready in the instant in which the second
  // half may start)
  bool depends_on_order = false;

  Stamp end_of(int position) const { return ends.size() == 1 ? ends[0] : ends[position]; }
};

// Works out timelines once per shape and kind of group. For clocks that count picoseconds and systems without
// a shared bus.
class PhaseTimelines {
 public:
  // Keeps references.
  PhaseTimelines(const SystemConfig& system, const Dialect& dialect, const ContentionFreeNetwork& network,
                 const Clock& clock, int npus, int topology_dimensions);

  // Of the group whose member at position 0 is `base`.
  const PhaseTimeline& of(const PhaseShape& shape, int base);
  // When the last of all groups has ended.
  Stamp latest_of_all_groups(const PhaseShape& shape);

 private:
  std::uint32_t course_of(const PhaseShape& shape);
  PhaseTimeline of_alike_members(const PhaseShape& shape, int base) const;
  PhaseTimeline of_group(const PhaseShape& shape, int base) const;

  const SystemConfig& system_;
  const Dialect& dialect_;
  const ContentionFreeNetwork& network_;
  const Clock& clock_;
  int npus_;
  int topology_dimensions_;
  std::map<std::pair<const PhaseShape*, int>, PhaseTimeline> timelines_;
  std::map<const PhaseShape*, Stamp> latest_;
  std::map<std::vector<std::int64_t>, std::uint32_t> courses_;
};

}  // namespace orrery
