// For tests: sends messages at given times and writes down when they arrive.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "events/event_loop.hpp"
#include "network/transport.hpp"

namespace orrery::core {

struct SentMessage {
  int source, destination;
  std::uint64_t bytes;
  std::int64_t at_ps = 0;
};

struct Delivery {
  std::size_t message;  // its place in the list of sent messages
  std::int64_t ps;

  bool operator==(const Delivery&) const = default;
};

// One simulation. Messages of equal time are sent in the order of the calls.
class SentMessages final : public EventHandler {
 public:
  SentMessages() : loop(Clock(Clock::Mode::picoseconds)), handler_(loop.add_handler(*this)) {}

  void add(const SentMessage& message) {
    messages_.push_back(message);
    loop.at(message.at_ps, Event{handler_, sends, 0, static_cast<std::uint32_t>(messages_.size() - 1), 0});
  }
  // Sends from within a handler.
  void send_now(const SentMessage& message) {
    messages_.push_back(message);
    send(static_cast<std::uint32_t>(messages_.size() - 1));
  }
  // Returns the deliveries in the order in which they happened.
  std::vector<Delivery> run(Transport& transport) {
    transport_ = &transport;
    loop.run({});
    return deliveries_;
  }

  void handle(const Event& event) override {
    if (event.what == sends) {
      send(event.object);
      return;
    }
    deliveries_.push_back({event.object, loop.time().ps()});
    if (on_delivery) on_delivery(event.object);
  }

  EventLoop loop;
  std::function<void(std::size_t message)> on_delivery;
  std::function<Channel(std::size_t message)> channel_of;  // none: all are on channel 0

 private:
  enum What : std::uint16_t { sends, delivered };
  void send(std::uint32_t number) {
    const SentMessage message = messages_[number];
    transport_->send_on(channel_of ? channel_of(number) : Channel(), message.source, message.destination,
                        Bytes(message.bytes), Event{handler_, delivered, 0, number, 0});
  }

  std::uint16_t handler_;
  Transport* transport_ = nullptr;
  std::vector<SentMessage> messages_;
  std::vector<Delivery> deliveries_;
};

}  // namespace orrery::core
