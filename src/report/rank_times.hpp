// Says which rank did what when, in a run whose classes of ranks are all recorded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "program/program.hpp"
#include "simulate/recording.hpp"

namespace orrery {

class RankTimes {
 public:
  using Id = ExecutionGraph::Id;

  // Keeps references.
  RankTimes(const Program& program, const Recording& recording);

  std::uint32_t part_of(std::uint32_t rank) const { return part_of_[rank]; }
  const ExecutionGraph& graph_of(std::uint32_t rank) const { return program_.parts[part_of_[rank]].graph; }
  const Interval& at(std::uint32_t rank, Id id) const {
    return recording_.of_classes[recording_.classes.class_of(rank)][id];
  }
  // Returns the rank at the same place of another part.
  std::uint32_t counterpart(std::uint32_t rank, std::uint32_t part) const {
    return program_.parts[part].ranks[place_[rank]];
  }

  // Returns the member of the rank's group that came to a collective last, among those that came by that
  // time. It is the rank itself if no other came later.
  std::uint32_t last_to_come(std::uint32_t rank, Id id, Time by) const;
  // Returns the member of the rank's group that was the first to come to a collective.
  std::uint32_t first_to_come(std::uint32_t rank, Id id) const;
  // Returns the operation before a rank's operation that ended last, and for which it had to wait. Returns
  // none for the first operation.
  std::optional<Id> cause_of(std::uint32_t rank, Id id) const;

  // Returns the send whose message a receive got.
  Id send_of(std::uint32_t rank, Id receive) const;

 private:
  bool has_one_rank_of_each_part() const { return recording_.classes.count() == program_.parts.size(); }
  const std::vector<Id>& messages(std::uint32_t rank, OperationKind kind, std::uint32_t peer,
                                  std::uint32_t tag) const;

  const Program& program_;
  const Recording& recording_;
  std::vector<std::uint32_t> part_of_, place_;  // by rank
  mutable std::map<std::tuple<std::uint32_t, OperationKind, std::uint32_t, std::uint32_t>, std::vector<Id>>
      messages_;
};

}  // namespace orrery
