// A heap of single events, ordered by (stamp, number): the textbook queue.
#pragma once

#include <cstdint>
#include <vector>

#include "events/clock.hpp"
#include "events/event.hpp"

namespace orrery {

template <std::size_t arity>
class HeapQueue {
 public:
  void push(Stamp stamp, const Event& event) {
    const Key key = (static_cast<Key>(stamp) << 64) | pushed_++;
    entries_.emplace_back();
    rise(entries_.size() - 1, {key, event});
  }

  bool pop(Stamp& stamp, Event& event) {
    if (entries_.empty()) return false;
    stamp = static_cast<Stamp>(entries_.front().key >> 64);
    event = entries_.front().event;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) rise(leaf_below_root(), last);
    return true;
  }

 private:
  __extension__ using Key = unsigned __int128;  // stamp, then number
  struct Entry {
    Key key;
    Event event;
  };

  // The last entry nearly always belongs near the bottom: sink the hole there without comparing with it.
  std::size_t leaf_below_root() {
    std::size_t hole = 0;
    while (true) {
      const std::size_t first = hole * arity + 1;
      if (first >= entries_.size()) return hole;
      std::size_t least = first;
      if (first + arity <= entries_.size()) {
        least = least_of<arity>(first);
      } else {
        for (std::size_t i = first + 1; i < entries_.size(); ++i) least = lesser(least, i);
      }
      entries_[hole] = entries_[least];
      hole = least;
    }
  }
  // In pairs, so that the comparisons do not wait for each other.
  template <std::size_t count>
  std::size_t least_of(std::size_t first) const {
    if constexpr (count == 1)
      return first;
    else
      return lesser(least_of<count / 2>(first), least_of<count / 2>(first + count / 2));
  }
  std::size_t lesser(std::size_t a, std::size_t b) const {
    return a + (b - a) * static_cast<std::size_t>(entries_[b].key < entries_[a].key);  // without a branch
  }
  void rise(std::size_t hole, const Entry& entry) {
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / arity;
      if (!(entry.key < entries_[parent].key)) break;
      entries_[hole] = entries_[parent];
      hole = parent;
    }
    entries_[hole] = entry;
  }

  std::vector<Entry> entries_;
  std::uint64_t pushed_ = 0;
};

}  // namespace orrery
