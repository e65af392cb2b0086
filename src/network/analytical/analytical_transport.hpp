// Messages one by one on the closed-form network: each takes its own time, whatever else travels.
#pragma once

#include "events/event_loop.hpp"
#include "network/analytical/analytical_network.hpp"
#include "network/transport.hpp"

namespace orrery {

class AnalyticalTransport final : public Transport {
 public:
  // Keeps references.
  AnalyticalTransport(const AnalyticalNetwork& network, EventLoop& loop) : network_(network), loop_(loop) {}

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    loop_.after(network_.duration(source, destination, bytes), delivered);
  }
  // Not counted.
  std::vector<LinkUse> links(Time) const override { return {}; }

 private:
  const AnalyticalNetwork& network_;
  EventLoop& loop_;
};

}  // namespace orrery
