// Carries point-to-point messages between simulated ranks, matched by tag, ends and size, first in first out
// (docs/models/streams.md, Messages).
#pragma once

#include <cstdint>
#include <vector>

#include "base/containers/waiting_lists.hpp"
#include "base/units/bytes.hpp"
#include "base/units/rank_id.hpp"
#include "events/event_loop.hpp"
#include "network/transport.hpp"

namespace orrery::core {

// Messages that traces name have tags below this number, and those of streams have as many tags after them.
// Then come the handshakes of both.
inline constexpr std::uint64_t trace_tags = 500'000'000, handshake_tags = 2 * trace_tags;

struct MessageKey {
  std::uint64_t tag = 0;
  ClassId source, destination;  // what its ends are simulated for
  Bytes bytes;                  // zero where the size does not tell messages apart
  bool operator==(const MessageKey&) const = default;
};

// Returns the key of a message between two ranks of which each is simulated by itself.
constexpr MessageKey key_between(std::uint64_t tag, RankId source, RankId destination, Bytes bytes) {
  return {tag, class_of_simulated(source), class_of_simulated(destination), bytes};
}

// A message as the network carries it, where the key does not say that. Its ends are NPUs.
struct MessageLoad {
  int source = 0, destination = 0;
  Bytes bytes;
  Channel channel = {};
};

// Says whether a message that a rank wants to receive is there.
enum class Received : std::uint8_t {
  already,  // it has been delivered
  later     // an event will say so
};

class Messenger final : public EventHandler {
 public:
  // Keeps references. With `rendezvous`, every message waits for one of 8192 bytes from its receiver.
  // `holds_back` is for send_when_awaited().
  Messenger(EventLoop& loop, Transport& transport, bool rendezvous, bool holds_back = false);

  // Dispatches `sent` on delivery.
  void send(const MessageKey& key, const Event& sent);
  // Does the same, and says what the network carries. Requires a messenger without rendezvous.
  void send(const MessageKey& key, const MessageLoad& load, const Event& sent);
  // Sends a message whose delivery does not matter to its sender. If the messenger holds back, it takes no
  // link before its receiver awaits it.
  void send_when_awaited(const MessageKey& key);
  // Dispatches `received` on delivery, or within the present instant if the message has been delivered
  // before.
  void receive(const MessageKey& key, const Event& received);
  // Takes a message that has been delivered. After `later`, it dispatches `received` on delivery. Requires a
  // messenger without rendezvous.
  [[nodiscard]] Received take(const MessageKey& key, const Event& received);

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

  std::size_t list_of(const MessageKey& key) const;
  // Takes the oldest waiting counterpart under this key. Returns none when there is no counterpart.
  [[nodiscard]] std::uint32_t counterpart(const MessageKey& key, bool is_send);
  void wait(std::uint32_t message, bool is_send);
  void grow();
  void transmit(const MessageKey& key, const Event& sent);
  // Returns the number of a message that is on its way from now on.
  std::uint32_t under_way(const MessageKey& key, const Event& sent);
  void post(const MessageKey& key, const Event& received);
  void carry(std::uint32_t message);

  EventLoop& loop_;
  Transport& transport_;
  bool rendezvous_, holds_back_;
  std::uint16_t handler_;
  Numbered<Message> pool_;
  WaitingLists<Message> lists_;  // what waits, by hash; the number of lists is a power of two
  std::size_t waiting_ = 0;
  std::uint64_t messages_ = 0;
};

}  // namespace orrery::core
