// Ranks count as they plan chunks. The counters say which queue and which of two trees comes next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/diagnostics/unreachable.hpp"
#include "base/units/rank_id.hpp"
#include "program/collective_request.hpp"

namespace orrery {

class ChunkCounters {
 public:
  ChunkCounters(int npus, std::size_t dimensions, int queues_per_dimension)
      : dimensions_(dimensions),
        queues_(queues_per_dimension),
        queues_of_(static_cast<std::size_t>(npus) * dimensions),
        odd_trees_(queues_of_.size() * collective_kinds) {}

  // Says which of a dimension's queues take turns: all of them, those of the first half, or those of the
  // second half.
  enum class Chooser { any, first, last };
  // Returns the queue of a rank's next chunk, from 0 in its dimension.
  int next_queue(RankId rank, std::size_t dimension, Chooser chooser) {
    Queues& next = queues_of_[rank.index() * dimensions_ + dimension];
    const int half = queues_ / 2;
    switch (chooser) {
      case Chooser::any:
        return std::exchange(next.any, (next.any + 1) % queues_);
      case Chooser::first:
        return std::exchange(next.first, (next.first + 1) % std::max(half, 1));
      case Chooser::last:
        return half + std::exchange(next.last, (next.last + 1) % (queues_ - half));
    }
    unreachable("every chooser of queues has its queue");
  }
  // Returns whether a queue is one of the second half, whose chunks go backward.
  bool goes_backward(int queue) const { return queues_ > 1 && queue >= queues_ / 2; }

  // Returns whether a rank's next tree is the second of two.
  bool next_tree_is_odd(RankId rank, std::size_t dimension, CollectiveKind kind) {
    std::uint8_t& odd = odd_trees_[(rank.index() * dimensions_ + dimension) * collective_kinds +
                                   static_cast<std::size_t>(kind)];
    return std::exchange(odd, odd ^ 1) != 0;
  }

 private:
  struct Queues {  // queues that come next
    int any = 0, first = 0, last = 0;
  };
  std::size_t dimensions_;
  int queues_;
  std::vector<Queues> queues_of_;        // by rank and dimension
  std::vector<std::uint8_t> odd_trees_;  // by rank, dimension and kind
};

}  // namespace orrery
