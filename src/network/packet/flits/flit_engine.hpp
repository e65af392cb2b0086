// Simulates flits cycle by cycle (docs/models/network-flits.md).
//
// In each cycle NPUs put flits on their wires. Then everything that is due arrives: flits at buffers, and
// credits where flits come from. Then every router's input ports ask for output ports, each of which takes
// one flit on. Only parts that have something to do are looked at: NPUs that can send, and ports with flits
// that may go on. A port that waits for a buffer sleeps until the wire beyond has a credit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/latency_histogram.hpp"
#include "network/packet/flits/fabric.hpp"
#include "network/packet/flits/flit_channels.hpp"
#include "network/packet/flits/flit_sources.hpp"

namespace orrery::core {

class FlitEngine {
 public:
  using Cycle = std::int64_t;
  // Keeps a reference. Throws InputError when the network has too many virtual channels.
  explicit FlitEngine(const Fabric& fabric);

  // Hands a message to an NPU, which looks at it in the next cycle that is simulated. Returns its number,
  // which is free again when the message has been delivered.
  std::uint32_t send(std::uint32_t from, std::uint32_t to, std::uint32_t vnet, std::uint32_t turn,
                     std::uint64_t bytes);

  // Simulates the cycle. Cycles may be left out while next_busy() says that nothing happens in them.
  void simulate(Cycle cycle);
  // Returns the first cycle from `cycle` on in which something happens, or `never`.
  Cycle next_busy(Cycle cycle) const;
  static constexpr Cycle never = INT64_MAX;

  // Returns the messages that were received in the last cycle.
  const std::vector<std::uint32_t>& received() const { return sources_.received(); }
  // Makes the numbers of these messages free.
  void forget_received() { sources_.forget_received(); }
  bool in_flight() const { return sources_.in_flight(); }

  FlitChannels::Traffic traffic(WireId wire) const { return channels_.traffic(wire, now_); }
  std::uint64_t packets(WireId wire) const { return ports_[wire].packets; }
  std::uint64_t messages(WireId wire) const { return ports_[wire].messages; }
  // Returns the number of cycles in which a packet waited for a buffer at the end of the wire.
  std::uint64_t stalled(WireId wire) const;
  // Returns the cycles from the making of packets to the receipt of their tails, by the vnet in which they
  // were received.
  const std::vector<LatencyHistogram>& latencies() const { return latencies_; }
  Cycle now() const { return now_; }  // the last cycle that was simulated
  // Returns the names of packets that wait for one another. Requires that messages are in flight and nothing
  // can happen.
  std::string waiting_circle() const;

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  // Packets of an input port that want the same output, in the order in which their heads came.
  struct Group {
    std::uint32_t in = 0, out = 0;  // wires
    std::uint32_t lane = 0;         // lane of the wire beyond
    bool wraps_later = false, enters_ring = false, leaves_ring = false;
    bool waits = false;
    std::uint32_t first = none, last = none;  // virtual channels
    std::uint32_t next = none;                // next group of the port
    std::uint32_t next_waiting = none;
  };
  struct Port {  // port of a wire, at either end
    std::uint32_t groups = none;
    std::uint32_t in_pointer = 0, out_pointer = 0;
    bool active = false;
    std::uint32_t waiting = none;  // groups that wait for the wire
    Cycle waits_since = 0;         // since when there are waiting groups
    Cycle waited = 0;              // cycles of waiting before that
    // The last cycle in which something asked for the wire, and would have got it by now.
    Cycle asked = -1;
    std::uint32_t asking = none, distance = 0;
    std::uint64_t packets = 0, messages = 0;
  };
  void count_on_route(std::uint32_t message, std::uint32_t vnet, std::uint32_t plane);

  void activate(WireId wire);
  void flit_arrives(std::uint32_t vc);
  void head_arrives(std::uint32_t vc);
  void credit_arrives(std::uint32_t vc, bool free);
  void receive(std::uint32_t vc);
  std::uint32_t vnet_of(std::uint32_t vc) const;
  std::uint32_t group_of(WireId in, const FlitRoute& route);

  [[nodiscard]] bool ask(WireId in);
  bool may_go(const Group& group, const FlitVc& vc, bool& look_again) const;
  bool ring_is_full(const Group& group) const;
  std::uint32_t next_on_its_way(std::uint32_t stays) const;
  void grant(WireId out);
  void take_vc(const Group& group, std::uint32_t from);
  void leave(std::uint32_t group, std::uint32_t vc);
  void wait(std::uint32_t group);
  std::string described(std::uint32_t vc) const;

  const Fabric& fabric_;
  const bool avoids_deadlocks_;
  FlitChannels channels_;
  FlitSources sources_;
  const std::uint32_t vcs_per_vnet_;
  Cycle now_ = 0;

  std::vector<Port> ports_;                  // by wire
  std::vector<LatencyHistogram> latencies_;  // by vnet
  std::vector<Group> groups_;
  std::vector<std::uint32_t> free_groups_;
  std::vector<std::uint32_t> on_ring_;     // packets that have several hops to go, by ring
  std::vector<std::uint32_t> next_plane_;  // by NPU
  std::vector<bool> planes_taken_;         // by message and switch

  std::vector<WireId> active_ports_, asked_;
  bool idle_ports_ = false;  // no port could ask for another in the last cycle
};

}  // namespace orrery::core
