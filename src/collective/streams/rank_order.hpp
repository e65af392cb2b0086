// Finds the order of ranks within an instant from a simulation of one rank that stands for all.
//
// Where all ranks do the same at the same times, an event of one rank is an event of every rank in the same
// instant, one rank after the other. Events of an instant happen in the order in which they were scheduled.
// So ranks come in the order in which they came when they scheduled the event. Where a message has scheduled
// it, the sender's place is the receiver's. At the start they come by number. (docs/models/folding.md,
// "Traces in one go")
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/algorithms/schedule.hpp"
#include "events/event_loop.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery::core {

class RankOrder final : public EventObserver {
 public:
  // The sender of a message, as seen from its receiver. An `amount` of 0 stands for the receiver itself.
  struct Origin {
    LogicalDimension dimension;
    ExchangeSchedule::Peer peer = ExchangeSchedule::Peer::shift;
    std::uint32_t amount = 0;

    bool operator==(const Origin&) const = default;
    std::uint32_t position(std::uint32_t receiver) const;
  };

  // Says that all events scheduled until the next call are deliveries of messages from `origin`.
  void set_origin(const Origin& origin) { origin_ = origin; }

  // Throws AmbiguousEventOrder when ranks would see their own events in different orders. This happens when
  // something that happens to them schedules deliveries from different senders for the same instant.
  void scheduled(Stamp at) override;
  void begins(Stamp now) override;

  // Returns the first `count` ranks in the order in which the event that is being handled, or the last one,
  // happens to them. Throws AmbiguousEventOrder when messages have gone along dimensions as well as around
  // the whole machine.
  std::vector<RankId> ranks(std::uint32_t count) const;

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  // The events of an instant that the same batch has scheduled. All ranks have all of them before the next
  // batch begins, rank after rank.
  struct Batch {
    std::uint32_t cause;  // batch that has scheduled it
    Origin origin;
  };
  struct Instant {
    std::vector<std::uint32_t> batches;  // one entry per event
    std::size_t begun = 0;
  };

  std::vector<Batch> batches_ = {{none, {}}};  // the first one is the start
  std::uint32_t present_ = 0;
  Origin origin_;
  std::map<Stamp, Instant> instants_;
};

}  // namespace orrery::core
