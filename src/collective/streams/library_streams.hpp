// Collectives of execution traces as a library such as NCCL carries them out: by a closed form, without
// messages (docs/models/library-collectives.md).
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "base/numbered.hpp"
#include "collective/library/collective_library.hpp"
#include "collective/streams/group_counters.hpp"
#include "collective/streams/stream_issuer.hpp"
#include "events/event_loop.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery {

class LibraryStreams final : public StreamIssuer, private EventHandler {
 public:
  // Keeps references. Nodes hold as many consecutive ranks as the network's first dimension.
  LibraryStreams(EventLoop& loop, const CollectiveLibrary& library, const Topology& topology,
                 StreamListener& listener);

  void issue(std::uint32_t rank, std::uint32_t token, const StreamRequest& request) override;
  std::uint64_t issued_streams(std::uint32_t rank, std::uint64_t tag_base) const override {
    return issued_[rank].of(tag_base);
  }
  std::vector<std::string> waiting(std::uint32_t rank) const override;

 private:
  // Tag base, dimensions that take part where the group is not listed, and the group's first rank.
  using GroupKey = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;
  struct Member {
    std::uint32_t rank, token;
  };
  struct Group {
    GroupKey key;
    std::size_t members;
  };
  struct Call {
    std::vector<Member> arrived;
    std::size_t members = 0;
  };

  Group group_of(std::uint32_t rank, const StreamRequest& request) const;
  // `members`: all of the group, ascending by rank.
  Time duration_of(const StreamRequest& request, const std::vector<Member>& members) const;
  void handle(const Event& event) override;

  EventLoop& loop_;
  const CollectiveLibrary& library_;
  StreamListener& listener_;
  std::uint16_t handler_;
  std::vector<LogicalDimension> dimensions_;
  std::vector<GroupCounters> issued_;                          // collectives, by rank
  std::map<std::tuple<GroupKey, std::uint64_t>, Call> calls_;  // by group and number, until all are there
  std::map<GroupKey, Stamp> free_;                             // when the last collective of a group ends
  Numbered<std::vector<Member>> running_;
};

}  // namespace orrery
