// Works out when the members of a group end a phase, from the times at which they start it. Where messages
// never meet others, nothing else decides that, so only the group's own messages are looked at
// (docs/models/streams.md, Phases in one go).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collective/algorithms/schedule.hpp"
#include "collective/algorithms/tree_classes.hpp"
#include "events/clock.hpp"

namespace orrery::core {

// A phase on one group. Keeps references.
struct GroupPhase {
  const Schedule& schedule;
  // Times to add a received message to own data. Exchanges have one for each step, or one for all, or none if
  // nothing is ever added. Trees have one.
  const std::vector<Time>& reductions;
  std::uint32_t members;
  Stamp endpoint_delay;
  bool rendezvous = false;
  // For exchanges: all members start together and do the same, so that position 0 stands for all.
  bool alike = false;
  bool gate_counts_whole_instant = false;  // as a Dialect says
  // For trees: the positions that start together and do the same.
  std::shared_ptr<const TreeClasses> classes = nullptr;
  std::uint32_t root = 0;  // programs: position of the root
};

struct CourseOutcome {
  Time latency_sum;  // of what position 0 receives: arrival minus posting of the receive
  // Whether the order of events within an instant decides what happens, which only a simulation of the whole
  // machine knows. (This occurs in ASTRA-sim's direct all-reduce, where a message is ready in the instant in
  // which the second half may start.)
  bool depends_on_order = false;
};

// The last message that a member awaits in a phase, by spans from the phase's start. The phase ends an
// endpoint delay and the reduction after the message has arrived.
struct LastMessage {
  Stamp sent = 0, arrived = 0;
  Stamp reduction = 0;  // time to add its data to own data; 0: it is not added
  bool operator==(const LastMessage&) const = default;
};

// A phase, made ready for many runs. Stamps count picoseconds.
struct PhaseTiming : GroupPhase {
  static constexpr Clock clock{Clock::Mode::picoseconds};
  // An end of a message: a position, or the switch for which the member there does a step.
  struct End {
    std::uint32_t position;
    std::uint32_t at = MemberProgram::npu;
    bool operator==(const End&) const = default;
  };
  // Returns the time from the send of a message to its delivery.
  using Latency = std::function<Stamp(const End& from, const End& to, Bytes bytes)>;

  PhaseTiming(const GroupPhase& phase, const Latency& latency);

  // Each position that is `followed` starts at its entry of `starts` and ends at that of `ends`.
  CourseOutcome run(std::span<const Stamp> starts, std::span<Stamp> ends) const;

  // Returns the last message of a phase that takes `end`, if all members do the same with one message under
  // route at a time.
  std::optional<LastMessage> last_message(Stamp end) const;

  // Returns how long preparation k of an exchange takes.
  Stamp preparation(std::uint64_t k) const { return clock.add(endpoint_delay, reduction(k)); }
  // Returns how long it takes to add received data in it.
  Stamp reduction(std::uint64_t k) const;
  // Returns when a message arrives that is ready at one time and awaited from another.
  Stamp arrival(std::size_t message, Stamp ready, Stamp awaited) const {
    Stamp sent = ready;
    if (rendezvous) sent = std::max(ready, clock.add(awaited, handshakes[message]));
    return std::max(awaited, clock.add(sent, latencies[message]));
  }

  std::size_t followed;  // number of positions that are followed; in trees, of classes
  // Times of messages. In exchanges, [k * followed + x] is that of message steps[k] to position x. In trees,
  // [2 * c - 2] is that of class c to its parent, and [2 * c - 1] the one back. In programs there is one for
  // each step, position by position.
  std::vector<Stamp> latencies;
  std::vector<Stamp> handshakes;  // times of the handshakes of these messages, if there are any
  bool direct = false;            // see direct_course.hpp
};

}  // namespace orrery::core
