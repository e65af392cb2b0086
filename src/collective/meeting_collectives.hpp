// Collectives that begin on a group when its last member has issued them, and end at once on all members.
// Those of a communicator's group follow one another, as kernels of one stream do.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "collective/collective_service.hpp"
#include "topology/rank_parts.hpp"

namespace orrery {

class MeetingCollectives : public CollectiveService {
 public:
  // Keeps references. Ranks of a class are in groups that hold the same classes.
  MeetingCollectives(const std::vector<Communicator>& communicators, const RankClasses& classes,
                     const RankParts& parts, std::size_t topology_dimensions, CollectiveListener& listener);

  bool issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request, Stamp at) override;

  const ChunkRecords& records(std::uint32_t part) const override { return records_[part]; }
  const std::vector<Bytes>& payload(std::uint32_t) const override { return payload_; }
  std::uint64_t messages() const override { return 0; }
  PhaseCounts phases() const override { return {}; }
  std::vector<Waiting> waiting() const override;

 protected:
  using GroupId = std::uint32_t;  // numbers from 0 on, in the order of their first collectives

  const Communicator& communicator_of(const CollectiveRequest& request) const {
    return communicators_[request.communicator];
  }
  // Returns the ranks in a class's group, in the order of their positions.
  std::vector<int> ranks_with(std::uint32_t number, const CollectiveRequest& request) const;
  // Must be called when the collective that has begun on a group has ended.
  void ended(GroupId group);

 private:
  // All members of the group are there, and nothing else is under way on it. `first`: a class of it.
  virtual void begin(GroupId group, std::uint32_t first, const CollectiveRequest& request) = 0;

  struct Call {
    std::uint32_t token = 0;
    CollectiveRequest request;
  };
  struct Group {
    std::vector<std::uint32_t> members;  // classes, ascending, each once
    std::vector<Call> calls;             // that all have issued and that have not ended; the first one runs
  };
  using Kind = std::pair<std::uint32_t, unsigned long>;  // communicator, dimensions
  // Numbers of groups, by class.
  using GroupsOfKind = std::vector<GroupId>;
  using Meeting = std::pair<GroupId, std::uint32_t>;  // token

  const GroupsOfKind& groups_of(const CollectiveRequest& request);

  const std::vector<Communicator>& communicators_;
  const RankClasses& classes_;
  const RankParts& parts_;
  CollectiveListener& listener_;
  std::map<Kind, GroupsOfKind> kinds_;
  std::deque<Group> groups_;
  std::map<Meeting, std::vector<std::uint32_t>> arrived_;  // classes, where not all members are there
  std::vector<ChunkRecords> records_;                      // by part; empty
  std::vector<Bytes> payload_;                             // no bytes are known by dimension
};

}  // namespace orrery
