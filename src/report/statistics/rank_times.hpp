// Says which rank did what when, in a run whose classes of ranks are all recorded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/program.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

class RankTimes {
 public:
  using Id = ExecutionGraph::Id;
  struct Place {
    RankId rank;
    Id id;
  };

  // Keeps references.
  RankTimes(const Program& program, const Recording& recording);

  std::uint32_t part_of(RankId rank) const { return part_of_[rank.index()]; }
  const ExecutionGraph& graph_of(RankId rank) const { return program_.parts[part_of_[rank.index()]].graph; }
  const Interval& at(RankId rank, Id id) const { return recording_.operations_of(rank)[id]; }
  // Returns the rank with which a rank exchanges messages whose peer is that one: the peer is a rank, or a
  // part that has it at the same place.
  RankId counterpart(RankId rank, std::uint32_t peer) const {
    return program_.messages_name_ranks ? RankId(peer) : program_.parts[peer].ranks[place_[rank.index()]];
  }
  // Returns the part of that rank.
  std::uint32_t part_of_peer(std::uint32_t peer) const {
    return program_.messages_name_ranks ? part_of_[peer] : peer;
  }
  // Returns the member's operation that is the same collective as that operation of the rank. Members of one
  // part go by the same graph. Others issue the collectives of a group in the same order; none: the member
  // has fewer of them.
  std::optional<Id> same_collective(RankId member, const Place& of) const;

  // Returns the member of the rank's group that came to a collective last, among those that came by that
  // time. It is the rank itself if no other came later.
  RankId last_to_come(RankId rank, Id id, Time by) const;
  // Returns the member of the rank's group that was the first to come to a collective, and its operation.
  Place first_to_come(const Place& of) const;
  // Returns the operation before a rank's operation that ended last, and for which it had to wait. Returns
  // none for the first operation.
  std::optional<Id> cause_of(RankId rank, Id id) const;

  // Returns the index of an operation in a list of the rank's operations, which must be in the order of their
  // starts.
  std::size_t place_by_start(const std::vector<Id>& by_start, const Place& of) const;

  // Returns the send whose message a receive got.
  Id send_of(RankId rank, Id receive) const;

 private:
  // Returns whether one rank stands for all members of each collective.
  bool has_one_rank_of_each_part() const {
    return recording_.classes.count() == (program_.issues_in_slots() ? 1 : program_.parts.size());
  }
  const std::vector<Id>& collectives(RankId rank, std::uint64_t tags) const;
  const std::vector<Id>& messages(RankId rank, OperationKind kind, std::uint32_t peer,
                                  std::uint32_t tag) const;

  const Program& program_;
  const Recording& recording_;
  std::vector<std::uint32_t> part_of_, place_;  // by rank
  mutable std::map<std::tuple<ClassId, OperationKind, std::uint32_t, std::uint32_t>, std::vector<Id>>
      messages_;
  mutable std::map<std::pair<RankId, std::uint64_t>, std::vector<Id>> collectives_;  // by rank and tags
};

}  // namespace orrery::core
