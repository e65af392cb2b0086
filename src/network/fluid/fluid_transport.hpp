// Messages share links as fluids do: each flows over all links of its way at once, at the rate that is
// its fair share (docs/models/network-link.md, Flows that share links). Several between the same two NPUs
// share, too, as copies on streams of their own do.
//
//   duration, alone = what the closed form says (analytical/analytical_network.hpp)
//
// While messages share a link, rates are max-min fair (fair_rates.hpp), so no link carries more than it can,
// and a message is late by what it had to wait for others. What a closed form adds to bytes / bandwidth, such
// as latency, is added to the end. This is the long-run behaviour of congestion control that is fair and
// keeps links full. It leaves out slow starts, queues and losses, and it favours no message for being first.
//
// NPUs in step send at the same time. Where one of them stands for all, the others' messages flow beside its
// own; the message is delivered when the last of them would be.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "events/event_loop.hpp"
#include "network/analytical/analytical_network.hpp"
#include "network/fluid/link_classes.hpp"
#include "network/link/link_map.hpp"
#include "network/link/link_speeds.hpp"
#include "network/transport.hpp"

namespace orrery {

class FluidTransport final : public Transport, public EventHandler {
 public:
  // Keeps a reference to the loop. Requires a clock of picoseconds, and links that are equally fast within a
  // dimension. `in_step`: groups of NPUs that do the same at the same times. A message from the first of one
  // to the first of another stands for one from every member to the member at the same place.
  FluidTransport(const Topology& topology, const Dialect& dialect, EventLoop& loop,
                 const std::vector<std::vector<std::uint32_t>>& in_step = {});

  void send(int source, int destination, Bytes bytes, const Event& delivered) override;
  // Messages count when they are sent.
  std::vector<LinkUse> links(Time now) const override;

  void handle(const Event& event) override;

 private:
  enum What : std::uint16_t { settles, drains };
  struct Way {  // from an NPU to another, with the ways of those in step
    std::vector<std::pair<int, int>> ends;
    std::uint32_t flow;  // number in classes_
    double most;         // bytes per ns
    LinkLoad load;       // load of each pair
  };
  struct Message {
    std::uint32_t way;
    double left;  // bytes
    double rate;  // bytes per ns
    Stamp sent;
    Stamp alone;            // how long it takes if nothing slows it
    Stamp after_last_byte;  // the part of `alone` after the last byte has left
    bool slowed;            // it had to share
    Event delivered;
  };

  std::uint32_t way_of(int source, int destination);
  void settle_soon();
  void flow_until_now();
  void deliver_drained();
  void share();

  AnalyticalNetwork network_;
  EventLoop& loop_;
  std::uint16_t handler_;
  LinkMap map_;
  LinkSpeeds speeds_;
  LinkClasses classes_;
  std::vector<std::vector<std::uint32_t>> in_step_;
  std::map<std::uint32_t, std::size_t> group_of_;  // index in in_step_, by the group's first NPU
  std::map<std::pair<int, int>, std::uint32_t> number_of_way_;
  std::vector<Way> ways_;
  std::vector<Message> flowing_;  // in the order in which they were sent
  Stamp until_ = 0;               // time for which `left` holds
  bool settling_ = false;         // settle() is due at the end of this instant
  std::uint32_t sharing_ = 0;     // how often rates changed; events of earlier rates do not count
};

}  // namespace orrery
