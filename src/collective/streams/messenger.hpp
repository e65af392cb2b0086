// Carries point-to-point messages between ranks, matched by tag, ends and size, first in first out
// (docs/models/streams.md, Messages).
#pragma once

#include <cstdint>
#include <vector>

#include "base/containers/numbered.hpp"
#include "base/units/bytes.hpp"
#include "events/event_loop.hpp"
#include "network/transport.hpp"

namespace orrery {

// Messages that traces name have tags below this number, and those of streams have as many tags after them.
// Then come the handshakes of both.
inline constexpr std::uint64_t trace_tags = 500'000'000, handshake_tags = 2 * trace_tags;

struct MessageKey {
  std::uint64_t tag = 0;
  std::uint32_t source = 0, destination = 0;
  Bytes bytes;
  bool operator==(const MessageKey&) const = default;
};

class Messenger final : public EventHandler {
 public:
  // Keeps references. With `rendezvous`, every message waits for one of 8192 bytes from its receiver.
  // `holds_back` is for send_when_awaited().
  Messenger(EventLoop& loop, Transport& transport, bool rendezvous, bool holds_back = false);

  // Dispatches `sent` on delivery.
  void send(const MessageKey& key, const Event& sent);
  // Sends a message whose delivery does not matter to its sender. If the messenger holds back, it takes no
  // link before its receiver awaits it.
  void send_when_awaited(const MessageKey& key);
  // Dispatches `received` on delivery, or within the present instant if the message has been delivered
  // before.
  void receive(const MessageKey& key, const Event& received);

  void handle(const Event& event) override;

  // Returns an event for sends whose delivery does not matter to their sender.
  Event ignored() const { return Event{handler_, nothing, 0, 0, 0}; }

  std::uint64_t messages() const { return messages_; }
  // Messages that wait for their receive, and receives that wait for their message, for the report of a
  // stalled run.
  struct Unmatched {
    MessageKey key;
    bool is_send;
  };
  std::vector<Unmatched> unmatched() const;

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  enum What : std::uint16_t { delivered, may_send, may_receive, nothing };
  struct Message {
    MessageKey key;
    Event sent = {}, received = {};
    bool is_send = false;
    bool bound = false;  // it has been matched with its receive
    bool held = false;   // it will be sent when it is awaited
    bool arrived = false;
    std::uint32_t next = none;  // next one of those that wait with the same hash
  };

  std::uint32_t& list_of(const MessageKey& key);
  // Takes the oldest waiting counterpart under this key. Returns none when there is no counterpart.
  std::uint32_t take(const MessageKey& key, bool is_send);
  void wait(std::uint32_t message, bool is_send);
  void append(std::uint32_t message);
  void grow();
  void transmit(const MessageKey& key, const Event& sent);
  void post(const MessageKey& key, const Event& received);
  void carry(std::uint32_t message);

  EventLoop& loop_;
  Transport& transport_;
  bool rendezvous_, holds_back_;
  std::uint16_t handler_;
  Numbered<Message> pool_;
  // Lists of what waits, oldest first, by hash; their number is a power of two.
  std::vector<std::uint32_t> lists_;
  std::size_t waiting_ = 0;
  std::uint64_t messages_ = 0;
};

}  // namespace orrery
