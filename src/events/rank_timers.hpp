// Delayed call-backs of ranks, grouped by (rank, time).
//
// The first call-back for a rank and time places one event in the queue; later ones join it and run with it,
// in order of registration. This decides who is first within one instant (spec: system layer, "per-NPU
// delayed call-back").
#pragma once

#include <cstdint>
#include <vector>

#include "events/event_loop.hpp"

namespace orrery {

class RankTimers final : public EventHandler {
 public:
  RankTimers(EventLoop& loop, int ranks);

  // Dispatches `callback` on `rank` when `delay` (>= 0) has passed.
  void after(std::uint32_t rank, Time delay, const Event& callback);

  void handle(const Event& event) override;

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct List {  // of one rank and time
    std::int64_t tick;
    std::uint32_t first, last;
  };
  struct Node {
    Event callback;
    std::uint32_t next;
  };
  std::uint32_t new_node(const Event& callback);

  EventLoop& loop_;
  std::uint16_t handler_;
  std::vector<std::vector<List>> lists_;  // per rank; few at a time
  std::vector<Node> nodes_;
  std::uint32_t free_ = none;
};

}  // namespace orrery
