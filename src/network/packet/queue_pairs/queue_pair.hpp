// A queue pair of RDMA: the sender of a stream of messages, and their receiver at its other end.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "network/packet/wide_product.hpp"
#include "network/transport.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

struct QueuePair {
  struct Message {
    std::uint64_t end = 0;     // the first byte of the stream after it
    std::uint32_t number = 0;  // number that it was given
    std::uint64_t resent = 0;  // how many of its bytes were sent again
  };

  struct Piece {
    std::uint64_t first = 0;
    std::uint32_t bytes = 0;
  };

  Sender sender;
  // Messages are a stream of bytes.
  std::uint64_t size = 0;                       // bytes of the stream until now
  std::uint64_t message_end = 0;                // end of the message that is being sent
  std::uint64_t sent_once = 0;                  // all bytes before this one have been sent at least once
  std::uint32_t data_route = 0, ack_route = 0;  // places among the routes
  LinkId port;                                  // of the sender's NIC
  int source = 0, destination = 0;
  Channel channel;
  std::uint32_t stripe = 0;
  std::uint32_t flow = 0;   // number by which it finds its route again
  std::uint32_t route = 0;  // number by which the choice of routes knows it
  std::uint8_t priority = 0;
  bool urgent = false;          // `again` may be sent whatever the window
  bool ended = false;           // all bytes have been acknowledged
  bool listed = false;          // at the NIC
  bool in_use = false;          // otherwise its place is free
  std::uint32_t under_way = 0;  // its packets that are somewhere in the network

  Piece again;  // piece to send before new ones; of no bytes: there is none

  // These members belong to the receiver.
  std::uint64_t expected = 0;  // the first byte that has not arrived
  std::uint64_t nacked = ~std::uint64_t{0};
  Stamp next_nack = 0;  // no request for the same bytes before this time

  std::vector<Message> messages;                // the oldest first
  std::size_t delivered = 0, acknowledged = 0;  // numbers of messages that were

  std::array<std::uint32_t, max_timers> timers{};  // numbers of their last settings

  // These members belong to retransmission. Bytes before `doubtful` may be lost, as far as anybody knows;
  // those from there on are under way.
  std::uint64_t doubtful = 0;
  Stamp min_timeout = 0;
  Stamp deadline = 0;  // time until which news of its bytes are due
  Stamp smoothed_rtt = 0, rtt_variation = 0;
  int timeouts = 0;         // number since the last progress
  bool watched = false;     // an event looks at the deadline
  std::uint32_t watch = 0;  // number of that event

  // Makes room for another stream. Numbers go on, so that events of the last one are known to be old.
  void reset() {
    QueuePair fresh;
    fresh.sender.number = sender.number;
    fresh.timers = timers;
    fresh.watch = watch + 1;
    fresh.messages = std::move(messages);
    fresh.messages.clear();
    *this = std::move(fresh);
  }

  // Takes note of a round trip's time, with the weights of RFC 6298.
  void measure_rtt(Stamp rtt) {
    if (smoothed_rtt == 0) {
      smoothed_rtt = rtt;
      rtt_variation = rtt / 2;
      return;
    }
    const Stamp off = smoothed_rtt > rtt ? smoothed_rtt - rtt : rtt - smoothed_rtt;
    rtt_variation += (off - rtt_variation) / 4;
    smoothed_rtt += (rtt - smoothed_rtt) / 8;
  }

  // Returns how long to wait for news: as RFC 6298 says, with at least the time that an empty network needs.
  Stamp timeout(const ReliabilitySettings& rules) const {
    if (rules.fixed_timeout_ps > 0) return rules.fixed_timeout_ps;
    const Stamp usual = std::max(min_timeout, std::max(smoothed_rtt, sender.base_rtt) + 4 * rtt_variation);
    constexpr int max_doublings = 20;
    const Stamp factor = Stamp{1} << std::min(timeouts, max_doublings);
    return usual > rules.largest_timeout_ps / factor ? std::max(usual, rules.largest_timeout_ps)
                                                     : usual * factor;
  }

  // Returns the bytes of the next packet, at most so many, and counts them as sent.
  [[nodiscard]] Piece take_new(std::uint32_t most) {
    const std::uint64_t first = sender.sent;
    const std::uint64_t bytes = std::min<std::uint64_t>(most, message_end - first);
    sender.sent += bytes;
    if (sender.sent == message_end) find_message_end();
    return {first, static_cast<std::uint32_t>(bytes)};
  }

  // Return the next message that has arrived, or that the sender knows to have arrived. Each message is
  // returned once, and then null.
  const Message* take_delivered() { return take(delivered, expected); }
  const Message* take_acknowledged() { return take(acknowledged, sender.acknowledged); }
  std::uint64_t bytes_of(const Message& message) const {
    return message.end - (&message == messages.data() ? 0 : (&message)[-1].end);
  }
  // Returns whether these bytes are sent again, which counts for their message.
  bool note_sent(const Piece& piece) {
    if (piece.first >= sent_once) {
      sent_once = piece.first + piece.bytes;
      return false;
    }
    std::size_t of = acknowledged;
    while (messages[of].end <= piece.first) ++of;
    messages[of].resent += piece.bytes;
    return true;
  }

  // Counts all of its bytes as acknowledged, so that whatever is still under way is a duplicate.
  void give_up() {
    expected = sender.acknowledged = sender.sent = sent_once = message_end = size;
    sender.gone = 0;
    again = {};
    urgent = false;
    delivered = acknowledged = messages.size();
  }

  // Finds the end of the message that is sent next.
  void find_message_end() {
    for (std::size_t i = acknowledged; i < messages.size(); ++i) {
      message_end = messages[i].end;
      if (message_end > sender.sent) return;
    }
  }

  bool is_window_bound(bool follows_rate) const {
    if (sender.window == 0) return false;
    std::uint64_t window = sender.window;
    if (follows_rate && sender.rate != sender.line_rate)
      window = std::max<std::uint64_t>(1, product_over(window, sender.rate, sender.line_rate));
    return in_flight() >= window;
  }

  // Returns whether there is something to send and the window leaves room for it.
  bool may_send(bool follows_rate) const {
    if (!sender.has_credit) return false;
    if (again.bytes == 0) return left() > 0 && !is_window_bound(follows_rate);
    return urgent || !is_window_bound(follows_rate);
  }

  std::uint64_t left() const { return size > sender.sent ? size - sender.sent : 0; }
  std::uint64_t unacknowledged() const { return sender.sent - sender.acknowledged; }
  std::uint64_t in_flight() const { return unacknowledged() - sender.gone; }
  // Returns whether packets of the flow may be lost, which would never be acknowledged.
  bool may_lack_packets() const { return sender.acknowledged < doubtful; }
  bool is_finished() const { return sender.acknowledged >= size; }

 private:
  // Takes the next message when all bytes before `end` are there. `next` is its place.
  const Message* take(std::size_t& next, std::uint64_t end) const {
    return next == messages.size() || messages[next].end > end ? nullptr : &messages[next++];
  }
};

}  // namespace orrery::core
