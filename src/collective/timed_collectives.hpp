// Collectives whose time is known beforehand, so that no message is simulated.
//
// A collective begins on a group when its last member has issued it, and ends at once on all members. Those
// of a communicator's group follow one another, as kernels of one stream do.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "base/numbered.hpp"
#include "collective/collective_service.hpp"
#include "events/event_loop.hpp"
#include "topology/rank_parts.hpp"

namespace orrery {

class TimedCollectives : public CollectiveService, private EventHandler {
 public:
  // Keeps references. Ranks of a class are in groups that hold the same classes.
  TimedCollectives(EventLoop& loop, const std::vector<Communicator>& communicators,
                   const RankClasses& classes, const RankParts& parts, std::size_t topology_dimensions,
                   CollectiveListener& listener);

  bool issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request, Stamp at) override;

  const ChunkRecords& records(std::uint32_t part) const override { return records_[part]; }
  const std::vector<Bytes>& payload(std::uint32_t) const override { return payload_; }
  std::uint64_t messages() const override { return 0; }
  PhaseCounts phases() const override { return {}; }
  std::vector<Waiting> waiting() const override;

 protected:
  const Communicator& communicator_of(const CollectiveRequest& request) const {
    return communicators_[request.communicator];
  }

 private:
  // Returns the time of a collective whose members are all there.
  virtual Time duration_of(const CollectiveRequest& request) = 0;

  // The groups of one choice of dimensions, as classes see them.
  struct Groups {
    std::vector<std::uint32_t> of;                    // by class
    std::vector<std::vector<std::uint32_t>> members;  // classes, by group
    std::vector<Stamp> free;                          // when the last collective ends, by group
  };
  using GroupsKey = std::pair<std::uint32_t, unsigned long>;  // communicator, dimensions
  struct Call {
    std::uint32_t token = 0;
    std::vector<std::uint32_t> arrived;  // classes
  };
  using CallKey = std::tuple<GroupsKey, std::uint32_t, std::uint32_t>;  // group, token
  struct Running {
    const std::vector<std::uint32_t>* members;
    std::uint32_t token;
  };

  Groups& groups_of(const CollectiveRequest& request);
  std::vector<std::uint32_t> members_of(std::uint32_t number, const CollectiveRequest& request) const;
  void handle(const Event& event) override;

  EventLoop& loop_;
  const std::vector<Communicator>& communicators_;
  const RankClasses& classes_;
  const RankParts& parts_;
  CollectiveListener& listener_;
  std::uint16_t handler_;
  std::map<GroupsKey, Groups> groups_;
  std::map<CallKey, Call> calls_;  // that not all members have issued
  Numbered<Running> running_;
  std::vector<ChunkRecords> records_;  // by part; empty
  std::vector<Bytes> payload_;         // no bytes are known
};

}  // namespace orrery
