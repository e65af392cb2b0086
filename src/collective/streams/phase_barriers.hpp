// Lets the members of a group meet for a phase that is worked out in one go.
//
// Streams go in step if they run the same phase on the same group, and all members start both at the same
// times, one stream before the other. Such streams end the phase in the order in which they started. The
// order of other streams that end in one instant is not known. (docs/models/folding.md, "Traces in one go")
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/streams/phase_timings.hpp"
#include "events/clock.hpp"

namespace orrery::core {

// The place at which a stream entered a queue. Number 0 means that it entered together with others, and that
// their order within that instant is not known.
struct QueuePlace {
  std::uint32_t queue = 0;
  std::uint32_t number = 0;
};

// Returns whether `a` is certain to have entered the queue before `b`.
inline bool comes_before(const QueuePlace& a, const QueuePlace& b) {
  return a.queue == b.queue && a.number != 0 && a.number < b.number;
}

// Keeps the order in which a rank's streams enter a queue, as far as every simulation agrees on it.
class EntryOrderChecker {
 public:
  // Records that a stream enters, and returns its number in the queue, or 0 if its place is not known.
  // Streams that enter by the same `cause` do so in a known order.
  std::uint32_t enter(Stamp now, std::uint64_t cause) {
    if (now != last_) {
      last_ = now;
      cause_ = cause;
    } else if (cause != cause_) {
      doubtful_ = true;
      return 0;
    }
    return ++places_;
  }

  // Must be called before anything happens to the queue. Returns whether streams entered in an unknown order
  // in an instant before `now` and one of them had to wait for the others. `waiting` says that the last one
  // to enter has not started.
  bool order_mattered(Stamp now, bool waiting) {
    if (!doubtful_ || now == last_) return false;
    doubtful_ = false;
    return waiting;
  }

 private:
  Stamp last_ = -1;
  std::uint64_t cause_ = 0;
  std::uint32_t places_ = 0;
  bool doubtful_ = false;
};

class PhaseBarriers {
 public:
  struct Key {
    std::uint64_t tag;    // tag of the stream
    std::uint32_t phase;  // index of its phase
    RankId first;         // first rank of the group
    bool operator==(const Key&) const = default;
  };
  struct Start {
    Stamp at;
    std::uint32_t stream;
    QueuePlace place;
  };
  struct Meeting {
    const StreamTiming* timing = nullptr;
    std::vector<Start> starts;  // by position; with `alone` there is one
    std::vector<Stamp> ends;    // by position, once all have started
    std::size_t missing = 0;
    std::uint64_t run = 0;  // phases with the same number go in step
  };

  // Keeps a reference. `alone` says that one rank is simulated, and that all others do the same as it does.
  PhaseBarriers(PhaseTimings& timings, bool alone) : timings_(timings), alone_(alone) {}

  // The member at members.position starts. Returns the meeting when all members have started. Throws
  // AmbiguousEventOrder when members bring different phases or, with `alone`, would end at different times.
  std::optional<Meeting> start(const Key& key, const StreamShape& shape, const StreamMembers& members,
                               Time endpoint_delay, const Start& start);

  // Returns a number that no run of streams has yet.
  std::uint64_t new_run() { return ++runs_; }

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const {
      const std::uint64_t ends = (std::uint64_t{key.first.value()} << 32) | key.phase;
      return (key.tag * 0x9e3779b97f4a7c15ull ^ ends) * 0xbf58476d1ce4e5b9ull >> 7;
    }
  };
  struct Last {  // the last time that a group ran a course
    std::vector<Start> starts;
    std::uint64_t run = 0;
  };

  void end(Meeting& meeting);
  void put_in_step(Meeting& meeting, Last& last);

  PhaseTimings& timings_;
  bool alone_;
  std::unordered_map<Key, Meeting, Hash> open_;
  std::map<std::pair<const StreamTiming*, RankId>, Last> last_;  // by course and first rank
  std::vector<Stamp> start_times_;                               // of the meeting that ends
  std::uint64_t runs_ = 0;
};

}  // namespace orrery::core
