// Messages share links, hop by hop (docs/models/network-link.md, Queues). Store and forward in one
// dimension is ASTRA-sim 2's network with contention.
//
// A link carries one message at a time, first come, first served, and is free again after bytes / bandwidth,
// so several messages can be in flight on a link of long latency. Two rules of the dialect say when a message
// goes on:
//
//   cut-through        its front goes on after the latency, its end follows: on an idle route it takes all
//                      latencies and its bytes once, over the slowest link
//   store and forward  every hop takes the whole message, latency + bytes / bandwidth
//
// All times are rounded as the dialect rounds. Queues are as long as need be. The two directions between
// devices do not meet, except in rings whose messages use the links of both ways. When a message arrives in
// the instant in which its link becomes free, the arrival comes first. In each dimension that a message
// passes, its first and its last hop pay the NIC latency, and the first one pays the router's. Where memory
// is modelled, the end of the message takes over the first hop at least the memory's time. So a message that
// makes one hop and meets no other takes as long as without contention.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/containers/numbered.hpp"
#include "base/dialect.hpp"
#include "events/event_loop.hpp"
#include "network/link/dimension_meter.hpp"
#include "network/link/link_map.hpp"
#include "network/link/link_speeds.hpp"
#include "network/transport.hpp"

namespace orrery::core {

// Keeps queues of messages, first in, first out, for the few of a million links that have a queue at a time.
//
// The messages of a line lie side by side, in the order in which they will be taken, so that millions that
// wait are written and read in sequence.
template <class Message>
class MessageLines {
 public:
  // Returns the number of an empty line, which must be closed when it is empty again.
  std::uint32_t open() {
    if (closed_.empty()) {
      lines_.emplace_back();
      return static_cast<std::uint32_t>(lines_.size() - 1);
    }
    const std::uint32_t line = closed_.back();
    closed_.pop_back();
    return line;
  }
  void close(std::uint32_t line) { closed_.push_back(line); }

  bool empty(std::uint32_t line) const { return lines_[line].messages.empty(); }
  void append(std::uint32_t line, const Message& message) { lines_[line].messages.push_back(message); }
  // Takes the first message of a line. Requires that the line is not empty.
  [[nodiscard]] Message take_first(std::uint32_t line) {
    auto& [messages, first] = lines_[line];
    const Message message = messages[first++];
    // The taken messages are erased when they are at least half of the line, so a message moves once on
    // average.
    if (2 * first >= messages.size()) {
      messages.erase(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(first));
      first = 0;
    }
    return message;
  }

 private:
  struct Line {
    std::vector<Message> messages;
    std::size_t first = 0;
  };

  std::vector<Line> lines_;
  std::vector<std::uint32_t> closed_;
};

// Throws InputError when the machine has more links than can be simulated.
void check_number_of_links(const Topology& topology, const Dialect& dialect);

class LinkTransport final : public Transport, public EventHandler {
 public:
  // Throws InputError when the machine has too many links. `link_history` says whether to keep what links
  // carry when.
  LinkTransport(const Topology& topology, const Dialect& dialect, EventLoop& loop,
                const std::vector<SlowLinks>& slow_links = {}, bool link_history = false);

  void send(int source, int destination, Bytes bytes, const Event& delivered) override;
  std::vector<LinkUse> links(Time now) const override;
  LinkHistory link_history() override;

  void handle(const Event& event) override;

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  enum What : std::uint16_t { arrives, frees, ends };
  struct Message {
    Event delivered;
    Bytes bytes;
    Stamp end_at;  // time at which the message's end is, or will be, where its front is
    HopCursor cursor;
    bool enters;  // its next hop is the first one in its dimension
  };
  struct LinkState {
    std::uint32_t line = none;  // line of messages that wait for the link
    bool busy = false;
    Stamp free_at = 0;
    Time used;  // total time in use, until free_at
    Bytes bytes;
    std::uint64_t messages = 0;
  };
  // The times from a message's start on a link until the moments named here.
  struct Hop {
    Stamp until_free;   // the link is free
    Stamp until_front;  // the message's front is at the far end
    Stamp until_end;    // the message's end is
  };
  // The hops of a dimension. If they differ only by their bytes, the hop that was timed last is kept, since
  // most messages have equally many bytes.
  struct Hops {
    bool differ;
    std::optional<Bytes> bytes;
    Hop hop;
  };

  struct Metered {  // what is on a link
    double from_ns, bytes_per_ns;
  };

  // Has the meter know what the link has carried of the message on it until then.
  void meter(Link link, Stamp until);
  Hop time_of_hop(const Message& message) const;
  Hop hop_of(const Message& message);
  void forward(const Message& message);
  void start(Link link, Message message);
  void free(Link link);

  Topology topology_;
  Dialect dialect_;
  EventLoop& loop_;
  std::uint16_t handler_;
  LinkMap map_;
  LinkSpeeds speeds_;
  std::vector<Hops> hops_;  // by dimension
  std::vector<LinkState> links_;
  // Few messages are on a link, while those that wait for one can be many more than caches hold.
  Numbered<Message> under_way_;
  MessageLines<Message> waiting_;
  std::optional<DimensionMeter> meter_;
  std::vector<Metered> metered_;  // by link; empty: nothing is metered
};

}  // namespace orrery::core
