// Cuts a rank's collectives into streams, which are chunks that pass dimensions phase by phase
// (docs/models/streams.md, Chunks to Queues and Small groups).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/diagnostics/unreachable.hpp"
#include "base/units/rank_id.hpp"
#include "collective/streams/plan/rooted_plan.hpp"
#include "collective/streams/plan/stream_shapes.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

// Ranks count as they plan chunks. The counters say which queue and which of two trees comes next.
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

// Requests of collectives name communicators and algorithms by numbers, which count in these lists.
struct RequestNames {
  const std::vector<Communicator>& communicators;                         // of the program
  const std::vector<std::shared_ptr<const CustomAlgorithm>>& algorithms;  // of the machine

  const Communicator& communicator_of(const CollectiveRequest& request) const {
    return communicators[request.communicator];
  }
  // Returns the algorithm of the user's that the request asks for. Null means that it asks for none.
  const CustomAlgorithm* algorithm_of(const CollectiveRequest& request) const {
    return request.algorithm > 0 ? algorithms[request.algorithm - 1].get() : nullptr;
  }
};

class StreamPlanner {
 public:
  // Keeps references, also those in `names`. Throws InputError when the algorithms do not fit the topology.
  StreamPlanner(const SystemConfig& config, const RequestNames& names, const Topology& topology);

  using Chunks = std::vector<std::vector<StreamPhase>>;
  // Returns the phases of each chunk of the rank's next collective. Throws InputError when the algorithms
  // cannot run there, and CollectiveError when the collective itself is at fault.
  Chunks plan(RankId rank, const CollectiveRequest& request);
  // Returns none where plan() would throw.
  std::optional<Chunks> plan_if_possible(RankId rank, const CollectiveRequest& request);

  std::uint32_t queues_per_rank() const { return queue_of(dimensions_.size(), 0); }
  // Returns whether the group is smaller than the machine. Such a group is a machine of its own: a ring with
  // delays of its own.
  bool is_small(const CollectiveRequest& request) const {
    const Communicator& communicator = names_.communicator_of(request);
    return communicator.lists_members() && static_cast<int>(communicator.members.size()) < npus_;
  }

 private:
  using Chooser = ChunkCounters::Chooser;
  struct Listed {  // entry of one collective kind's algorithm list
    AlgorithmChoice choice;
    LogicalDimension dimension;
  };
  struct Step {
    CollectiveKind kind;
    std::size_t dimension;  // dimension in the list
    Chooser chooser;
  };
  // The steps of the last collective of a kind. The next one mostly takes part in the same dimensions.
  struct KnownSteps {
    bool all = false;  // whether it takes part in all dimensions
    DimensionSet dimensions;
    std::vector<Step> steps;
    bool known = false;
  };
  struct Place {               // a phase's algorithm, members and queue
    CollectiveKind requested;  // kind of the whole collective
    AlgorithmChoice choice;
    StreamMembers members;
    std::size_t dimension;  // dimension whose queues it uses
    int queue;              // queue among these
    bool backward, small;
  };
  struct Cut {  // how a collective is cut into chunks
    Bytes chunk;
    std::uint64_t chunks;
  };

  Cut cut(Bytes size, bool contributions) const;
  Chunks plan_rooted(RankId rank, const CollectiveRequest& request);
  StreamPhase rooted_phase(const RootedStep& step, CollectiveKind kind, Bytes bytes, std::uint32_t queue);
  Chunks plan_small(RankId rank, const CollectiveRequest& request, Bytes chunk, std::uint64_t count);
  const std::vector<Step>& steps_of(const CollectiveRequest& request);
  std::vector<Step> steps_in(CollectiveKind kind, const std::vector<std::size_t>& used) const;
  std::vector<std::size_t> used_dimensions(const CollectiveRequest& request) const;
  // Returns whether a collective takes part in dimensions, and each of them has one member.
  bool is_alone(const CollectiveRequest& request) const;
  // Plans a phase of `bytes`, and sets `bytes` to what the phase yields.
  StreamPhase phase_of(RankId rank, const Place& place, CollectiveKind kind, Bytes& bytes);
  // Returns the index of a dimension's queue among all queues of a rank.
  std::uint32_t queue_of(std::size_t dimension, int queue) const {
    return static_cast<std::uint32_t>(static_cast<int>(dimension) * config_.queues_per_dimension + queue);
  }

  const SystemConfig& config_;
  RequestNames names_;
  int npus_;
  std::vector<LogicalDimension> dimensions_;
  std::array<std::vector<Listed>, collective_kinds> lists_;
  std::array<KnownSteps, collective_kinds> steps_;
  ChunkCounters counters_;
  StreamShapes shapes_;
};

}  // namespace orrery::core
