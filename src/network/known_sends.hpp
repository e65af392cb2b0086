// Carries messages that take known times and never meet, as on a machine of which nobody describes the links.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "events/event_loop.hpp"
#include "network/transport.hpp"

namespace orrery::core {

class SendTimes {
 public:
  virtual ~SendTimes() = default;
  // Returns how long a message is under way.
  virtual Time of(int source, int destination, Bytes bytes) const = 0;
  // Returns a number that is the same for pairs of ranks between which all messages take the same times.
  virtual std::uint64_t kind_of(int source, int destination) const = 0;
};

class KnownSends final : public Transport {
 public:
  // Keeps a reference to the loop.
  KnownSends(std::shared_ptr<const SendTimes> times, EventLoop& loop)
      : times_(std::move(times)), loop_(loop) {}

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    loop_.after(loop_.clock().span(times_->of(source, destination, bytes)), delivered);
  }
  std::vector<LinkUse> links(Time) const override { return {}; }

 private:
  std::shared_ptr<const SendTimes> times_;
  EventLoop& loop_;
};

}  // namespace orrery::core
