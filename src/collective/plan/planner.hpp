// Turns collectives into chunks and phases. All ranks issue the same collectives in the same order, so one
// planner serves the machine. docs/models/collectives.md has the rules.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/dialect.hpp"
#include "collective/plan/plan.hpp"
#include "collective/plan/system_config.hpp"
#include "collective/plan/themis.hpp"
#include "network/contention_free_network.hpp"

namespace orrery::core {

class Planner {
 public:
  // `dimensions` are the logical ones of `topology`. Throws InputError when `system` does not fit them.
  Planner(const SystemConfig& system, const Dialect& dialect, const Topology& topology,
          const std::vector<LogicalDimension>& dimensions, const ContentionFreeNetwork& network);

  // Plans the next collective. Throws InputError when an algorithm cannot run it.
  CollectivePlan plan(const CollectiveRequest& request);

  // Forgets Themis' estimate of the dimensions' loads.
  void reset_loads();

 private:
  struct ListedDimension {  // dimension in the algorithm list of one kind of collective
    AlgorithmChoice choice;
    LogicalDimension group;
    std::size_t dimension;  // of the communicator: the innermost that it joins
    DimensionSet joins;     // the communicator's dimensions that the group is along
    int phases_planned = 0;
    bool uneven = false;  // it joins dimensions in which the NPUs of a group do not stand evenly apart
  };
  using AlgorithmList = std::vector<ListedDimension>;
  struct Step {
    CollectiveKind kind;
    int listed;                              // its index in the list
    std::uint32_t root = 0;                  // kinds with a root: its position in the dimension
    std::vector<PhaseShape::Pin> pins = {};  // as in the shape
  };
  // The last two members say where the root stands, and in which dimensions groups have to stand with it.
  using ShapeKey = std::tuple<Algorithm, const WrittenSource*, CollectiveKind, std::uint64_t, int, int, bool,
                              int, bool, std::uint32_t, double, std::vector<int>>;

  // Returns the algorithms that a collective runs, with their groups.
  AlgorithmList& list_of(const CollectiveRequest& request);
  AlgorithmList make_list(CollectiveKind kind, const DimensionSet& used) const;
  // Returns used dimensions of the communicator as one: for the algorithm of dimension d all of them, or
  // those from there on.
  ListedDimension joined(const AlgorithmChoice& choice, std::size_t d, const DimensionSet& used) const;
  void require_whole_spans(const CollectiveRequest& request, const AlgorithmList& list) const;
  void check_list(CollectiveKind kind, std::size_t topology_dimensions) const;
  bool uses_themis(CollectiveKind kind) const {
    return themis_ && is_symmetric(kind) && kind != CollectiveKind::all_to_all;
  }
  ChunkPlan plan_chunk(const CollectiveRequest& request, Bytes rest, Bytes preferred);
  Bytes chunk_size(Bytes size, Bytes rest, std::size_t planned) const;
  static bool is_idle(const ListedDimension& listed, const DimensionSet& used);
  // These return and take indices in the list.
  std::vector<int> dimension_order(const CollectiveRequest& request, const AlgorithmList& list);
  std::vector<Step> steps_of(const CollectiveRequest& request, const AlgorithmList& list,
                             const std::vector<int>& order) const;
  std::vector<Step> rooted_steps(const CollectiveRequest& request, const AlgorithmList& list,
                                 const std::vector<int>& order) const;
  const PhaseShape* shape_of(ListedDimension& listed, const Step& step, const PhaseRequest& request);
  std::unique_ptr<PhaseShape> make_shape(const ListedDimension& listed, const PhaseRequest& request) const;
  const ReductionTrees* trees_of(const ListedDimension& listed, const SourceLocation& where);
  Time reduction_cost(Bytes bytes) const;

  const SystemConfig& system_;
  const Dialect& dialect_;
  const Topology& topology_;
  const ContentionFreeNetwork& network_;
  std::vector<LogicalDimension> dimensions_;  // of the communicator
  // By kind, and by the dimensions that an algorithm over the machine joins.
  std::map<std::pair<CollectiveKind, unsigned long>, AlgorithmList> lists_;
  std::optional<Themis> themis_;
  int next_priority_ = 0;
  std::size_t rotation_ = 0;     // for round-robin
  std::vector<int> next_queue_;  // per dimension
  std::map<LogicalDimension, std::unique_ptr<const ReductionTrees>> trees_;
  std::map<ShapeKey, std::unique_ptr<PhaseShape>> shapes_;
};

}  // namespace orrery::core
