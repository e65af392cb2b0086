// Collectives that begin on a group when its last member has issued them, and end at once on all members.
// Collectives of one group follow one another, as kernels of one stream do.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/recorded_collectives.hpp"
#include "topology/rank_parts.hpp"

namespace orrery::core {

// Describes the ranks that issue a program's collectives.
struct CollectiveRanks {
  const std::vector<Communicator>& communicators;  // of the program
  const RankClasses& classes;
  const RankParts& parts;
  std::size_t topology_dimensions;
  // If true, members of a group mean the same collective where it has the same number among those that each
  // of them has issued in this group. Otherwise they do where it has the same token, as ranks with one graph
  // do.
  bool meet_by_number = false;
};

class GroupCollectives : public RecordedCollectives {
 public:
  // Keeps references. Ranks of a class are in groups that hold the same classes.
  GroupCollectives(const CollectiveRanks& ranks, CollectiveListener& listener);

  // Throws whenever require_no_algorithm() throws, and throws CollectiveError where members of a group do not
  // mean the same collective.
  [[nodiscard]] Issued issue(ClassId of_class, std::uint32_t token, const CollectiveRequest& request,
                             Stamp at) override;

  // Throws CollectiveError where the request has an algorithm of the user's.
  static void require_no_algorithm(const CollectiveRequest& request);

  // Returns zeros: no bytes are known by dimension.
  std::vector<Bytes> payload(std::uint32_t /*part*/) const override {
    return std::vector<Bytes>(ranks_.topology_dimensions);
  }
  std::vector<Waiting> waiting() const override;

 protected:
  using GroupId = std::uint32_t;  // numbers from 0 on, in the order of their first collectives

  const Communicator& communicator_of(const CollectiveRequest& request) const {
    return ranks_.communicators[request.communicator];
  }
  // Groups of a kind have no ranks in common. The first of the communicators that list the same members, and
  // the dimensions that take part.
  using Kind = std::pair<std::uint32_t, unsigned long>;
  Kind kind_of(const CollectiveRequest& request) const;
  // Returns the ranks in a class's group, in the order of their positions.
  std::vector<RankId> ranks_with(ClassId of_class, const CollectiveRequest& request) const;
  // Must be called when the collective that has begun on a group has ended.
  void ended(GroupId group);

 private:
  // Called when all members of the group are there, and nothing else is under way on it. `first` is a class
  // of the group.
  virtual void begin(GroupId group, ClassId first, const CollectiveRequest& request) = 0;

  struct Arrival {
    ClassId of_class;
    std::uint32_t token;
  };
  struct Call {
    CollectiveRequest request;      // of the member that came first
    std::vector<Arrival> arrivals;  // in the order in which they came
  };
  struct Group {
    std::vector<ClassId> members;         // ascending, each once
    std::vector<std::uint32_t> issued;    // number of collectives, by member; empty: they meet by token
    std::map<std::uint32_t, Call> begun;  // collectives that some members have issued, by number or token
    // Collectives that all have issued and that have not ended; the first one runs.
    std::vector<Call> calls;
  };
  // Numbers of groups, by class. For communicators that list their members, it is the number of the only
  // group.
  using GroupsOfKind = std::vector<GroupId>;

  GroupId group_of(ClassId of_class, const CollectiveRequest& request);
  GroupId add_group(ClassId first, const CollectiveRequest& request);
  std::uint32_t meeting_of(Group& group, ClassId of_class, std::uint32_t token) const;
  void check_agreement(ClassId of_class, const CollectiveRequest& request, const Call& call) const;

  CollectiveRanks ranks_;
  CollectiveListener& listener_;
  // By communicator: the first communicator that lists the same members, in any order, under the same tags.
  std::vector<std::uint32_t> same_as_;
  std::map<Kind, GroupsOfKind> kinds_;
  std::deque<Group> groups_;
};

}  // namespace orrery::core
