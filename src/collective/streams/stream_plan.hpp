// Cuts a rank's collectives into streams, which are chunks that pass dimensions phase by phase
// (docs/models/streams.md, Chunks to Queues and Small groups).
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "collective/schedule.hpp"
#include "collective/streams/stream_config.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery {

// A phase as it runs on any of its groups.
struct StreamShape {
  Schedule schedule;
  Bytes input;
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<Time> reductions;  // exchanges: by step; trees: one
};

// The ranks that take part in a phase of a rank.
struct StreamMembers {
  const CommGroup* group = nullptr;  // the listed group; null: use `dimension`
  LogicalDimension dimension;        // otherwise the ranks that differ in one coordinate
  std::uint32_t base = 0, position = 0;

  std::uint32_t rank_at(std::uint32_t place) const {
    return group ? static_cast<std::uint32_t>(group->members[place])
                 : base + place * static_cast<std::uint32_t>(dimension.stride);
  }
  std::uint32_t size() const {
    return static_cast<std::uint32_t>(group ? static_cast<int>(group->members.size()) : dimension.size);
  }
};

struct StreamPhase {
  const StreamShape* shape = nullptr;  // or
  const MemberProgram* custom = nullptr;
  StreamMembers members;
  std::uint32_t queue = 0;   // index among the queues of the rank
  std::uint32_t origin = 0;  // custom: what the program calls position 0
};

// A collective that cannot run; what() goes on "the node ...".
class CollectiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class StreamPlanner {
 public:
  // Keeps references. Throws InputError when the algorithms do not fit the topology.
  StreamPlanner(const StreamConfig& config, const Topology& topology);

  using Chunks = std::vector<std::vector<StreamPhase>>;
  // Returns the phases of each chunk of the rank's next collective. Throws InputError when the algorithms
  // cannot run there, CollectiveError when the collective itself is at fault.
  Chunks plan(std::uint32_t rank, const StreamRequest& request);

  std::uint32_t queues_per_rank() const { return queues_per_rank_; }
  // A group smaller than the machine is a machine of its own: a ring with delays of its own.
  bool is_small(const StreamRequest& request) const {
    return request.group && static_cast<int>(request.group->members.size()) < npus_;
  }

 private:
  enum class Chooser { any, first, last };
  struct Counters {  // counters of one rank and dimension
    int any = 0, first = 0, last = 0;
  };
  struct Listed {  // entry of one collective kind's algorithm list
    AlgorithmChoice choice;
    LogicalDimension dimension;
  };
  struct Step {
    CollectiveKind kind;
    std::size_t dimension;  // in the list
    Chooser chooser;
  };
  struct Place {               // a phase's algorithm, members and queue
    CollectiveKind requested;  // kind of the whole collective
    AlgorithmChoice choice;
    StreamMembers members;
    int queue;
    bool backward, small;
  };
  struct Cut {  // how a collective is cut into chunks
    Bytes chunk;
    std::uint64_t chunks;
  };
  struct RootedStep {
    AlgorithmChoice choice;
    StreamMembers members;
    std::uint32_t root;     // position
    std::size_t dimension;  // whose queues it uses
    bool takes_part;
  };
  using ShapeKey = std::tuple<Algorithm, CollectiveKind, std::uint64_t, std::uint32_t, int, bool, bool, bool>;

  static void check_data(double bytes);
  Cut cut(Bytes size, bool contributions) const;
  void check_rooted(CollectiveKind kind) const;
  Chunks plan_rooted(std::uint32_t rank, const StreamRequest& request);
  std::vector<RootedStep> rooted_steps(std::uint32_t rank, const StreamRequest& request) const;
  std::vector<RootedStep> step_in_group(std::uint32_t rank, const StreamRequest& request) const;
  StreamPhase rooted_phase(const RootedStep& step, CollectiveKind kind, Bytes bytes, int queue);
  Chunks plan_small(std::uint32_t rank, const StreamRequest& request, Bytes chunk, std::uint64_t count);
  static void check_peers(std::uint32_t rank, const StreamPhase& phase);
  std::vector<StreamPhase> custom_phases(std::uint32_t rank, const StreamRequest& request) const;
  std::vector<Step> steps_of(CollectiveKind kind, const std::vector<std::size_t>& used) const;
  std::vector<std::size_t> used_dimensions(const StreamRequest& request) const;
  int choose_queue(std::uint32_t rank, std::size_t dimension, Chooser chooser);
  StreamPhase phase_of(std::uint32_t rank, const Place& place, CollectiveKind kind, Bytes& bytes);
  const StreamShape* shape_of(const Place& place, CollectiveKind kind, Bytes input, bool odd);
  AlgorithmChoice small_choice(CollectiveKind kind) const;
  Time reduction_cost(Bytes bytes) const;

  const StreamConfig& config_;
  int npus_;
  std::vector<LogicalDimension> all_dimensions_;
  std::array<std::vector<Listed>, collective_kinds> lists_;
  std::uint32_t queues_per_rank_ = 0;
  std::size_t dimensions_;               // number of dimensions with queues
  std::vector<Counters> counters_;       // rank by rank
  std::vector<std::uint8_t> odd_trees_;  // rank by rank, by kind and dimension
  std::map<ShapeKey, std::unique_ptr<StreamShape>> shapes_;
};

}  // namespace orrery
