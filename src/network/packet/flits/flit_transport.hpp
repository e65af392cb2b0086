// Carries messages as packets that are cut into flits, over routers with virtual channels
// (docs/models/network-flits.md).
//
// A message that is sent in an instant is looked at in the first cycle that begins then or later. If that
// cycle has been simulated already, as may be for a message that a receiver sends, it is the next one. Cycles
// are simulated at the ends of instants, ahead of the event loop up to its next event or the next message
// that is received, so that most cycles are no events.
#pragma once

#include <memory>
#include <vector>

#include "events/event_loop.hpp"
#include "network/packet/flits/flit_engine.hpp"
#include "network/transport.hpp"

namespace orrery::core {

class FlitTransport final : public Transport, public EventHandler {
 public:
  // Keeps a reference to the loop. Throws InputError when the network is too large.
  FlitTransport(std::shared_ptr<const FlitNetwork> network, EventLoop& loop);

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    send_with({}, source, destination, bytes, delivered);
  }
  // Looks only at the vnet of the service. Throws InputError when it does not lead to the destination, and
  // when packets on the way might wait for one another for ever.
  void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered) override;
  std::vector<LinkUse> links(Time now) const override;
  std::vector<PacketLatencies> latencies() const override;

  void handle(const Event& event) override;

 private:
  using Cycle = FlitEngine::Cycle;
  enum What : std::uint16_t { wakes, runs, delivers };

  Stamp stamp_of(Cycle cycle) const;
  Cycle cycle_from(Stamp stamp) const;  // first cycle that begins then or later
  std::uint32_t chosen_vnet(std::uint32_t from, std::uint32_t to, std::uint32_t turn) const;
  void require_route(std::uint32_t vnet, std::uint32_t from, std::uint32_t to) const;
  void skip_to(Cycle cycle);
  void wake_at(Stamp stamp);
  void run_at_end_of_instant();
  void run();
  void simulate(Cycle cycle);
  void deliver();

  std::shared_ptr<const FlitNetwork> network_;
  EventLoop& loop_;
  std::uint16_t handler_;
  Fabric fabric_;
  FlitEngine engine_;
  Cycle next_ = 0;                    // first cycle that has not been simulated
  std::uint64_t simulated_cycles_ = 0;
  Stamp wakes_at_ = -1;               // latest event of its own
  bool runs_at_end_ = false;          // at the end of the present instant
  std::vector<std::uint32_t> turns_;  // messages sent, by NPU
  std::vector<Event> delivered_;      // by number of the message
};

}  // namespace orrery::core
