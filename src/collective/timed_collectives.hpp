// Collectives whose time is known beforehand, so that no message is simulated.
#pragma once

#include "base/units/rank_id.hpp"
#include "collective/group_collectives.hpp"
#include "events/event_loop.hpp"

namespace orrery::core {

class TimedCollectives : public GroupCollectives, private EventHandler {
 public:
  // Keeps references, as GroupCollectives does.
  TimedCollectives(EventLoop& loop, const CollectiveRanks& ranks, CollectiveListener& listener)
      : GroupCollectives(ranks, listener), loop_(loop), handler_(loop.add_handler(*this)) {}

 private:
  // Returns the time of a collective whose members are all there.
  virtual Time duration_of(const CollectiveRequest& request) = 0;

  void begin(GroupId group, ClassId first, const CollectiveRequest& request) override {
    loop_.at(loop_.clock().add(loop_.now(), loop_.clock().span(duration_of(request))),
             Event{handler_, 0, first.value(), group, 0});
  }
  void handle(const Event& event) override { ended(event.object); }

  EventLoop& loop_;
  std::uint16_t handler_;
};

}  // namespace orrery::core
