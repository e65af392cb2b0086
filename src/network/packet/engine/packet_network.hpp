// A network of switches, NICs and links that passes on packets (docs/models/network-packet.md).
//
// It has events of its own, many per packet, and runs on until it is told to stop. PacketTransport makes it
// follow the event loop.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "network/packet/engine/time_alone.hpp"
#include "network/packet/hosts/packet_hosts.hpp"
#include "network/packet/stalls/packet_stall.hpp"
#include "network/packet/switches/packet_switches.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery::core {

class PacketNetwork final : private PacketNodes {
 public:
  // Keeps references. The topology has a graph whose links go both ways. `routes` finds the routes of flows.
  // If it is null, the routes are those of the routing.
  PacketNetwork(const Topology& topology, const PacketSettings& settings, PacketListener& listener,
                std::unique_ptr<RouteSelector> routes = nullptr);

  // Sends a message. `now` must not be earlier than the last event that was carried out.
  void send(const PacketMessage& message, Stamp now) {
    links_.set_now(now);
    hosts_.send(message);
  }
  std::uint32_t stripes(int source, int destination, Channel channel) {
    return hosts_.pairs().stripes(source, destination, channel);
  }
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) {
    return hosts_.pairs().lead(channel, source, destination, std::move(through));
  }
  bool is_led(Channel channel, int source, int destination) const {
    return hosts_.pairs().is_led(channel, source, destination);
  }
  // Carries out what links do by now, so that messages which are sent in the instant of a change find links
  // as they are from then on. `now` is as for send().
  void change_links_until(Stamp now) {
    links_.set_now(now);
    change_links();
  }

  // Returns how many bytes the receiver of a queue pair has got. Queue pairs are numbered in the order of
  // their first messages.
  std::uint64_t arrived(std::uint32_t queue_pair) { return hosts_.pairs()[queue_pair].expected; }
  // Returns the time that a message of so many bytes would take if nothing else were sent.
  Time time_alone(std::uint32_t queue_pair, std::uint64_t bytes);

  // Returns the time of the next event; PacketEvents::never if there is none.
  Stamp next() { return links_.next(); }
  // Carries out all events before `limit`, or up to a stop(). Returns false after a stop().
  bool run(Stamp limit);
  // Makes run() return before the next event.
  void stop() { limit_ = stopped; }

  // Says why messages that have not arrived never will. There are no lines where no message is under way.
  std::vector<std::string> stall() const { return explain_stall(parts_of_stall()); }

  PacketLinks& links() { return links_; }
  const PacketLinks& links() const { return links_; }
  FlowControl& flow_control() { return switches_.flow_control(); }
  const FlowControl& flow_control() const { return switches_.flow_control(); }
  const Topology& topology() const { return topology_; }
  const NetworkGraph& graph() const { return graph_; }
  // Keeps a reference, to a tracer of these nodes.
  void set_tracer(PacketTracer& tracer, const std::vector<NodeId>& nodes) {
    links_.set_tracer(tracer, nodes);
    switches_.watch_queues();
  }
  const QueuePair& queue_pair(std::uint32_t number) const { return hosts_.pairs()[number]; }

 private:
  void transmit(LinkId port) override;
  void lost(std::uint32_t queue_pair) override { hosts_.lost(queue_pair); }
  // Carries out all events except arrivals.
  void handle(const PacketEvent& event);
  [[nodiscard]] PacketEvent take();
  void arrive(LinkId link, PacketId packet);
  void arrive_watched(LinkId link, PacketId packet);
  void take_in(PacketId packet);
  // Throws StallError where events go on, but nothing has been acknowledged for very long.
  void look_for_idleness();
  [[noreturn]] void report_idleness() const;
  // A flow has waited in vain, perhaps because some links wait for one another for ever.
  void look_for_deadlock();
  StalledPackets parts_of_stall() const {
    return {graph_, settings_, links_, switches_.flow_control(), hosts_.pairs()};
  }

  bool has_change_due() const {
    return next_change_ < changes_.size() &&
           links_.clock().not_before(changes_[next_change_].at.ps()) <= links_.now();
  }
  void change_links();
  void change(LinkId link, double share);
  void plan_change();
  const std::vector<LoneHop>& lone_hops(std::uint32_t route);

  const Topology& topology_;
  const NetworkGraph& graph_;
  const PacketSettings& settings_;
  PacketListener& listener_;
  PacketLinks links_;
  RouteTable routes_;
  PacketSwitches switches_;
  PacketHosts hosts_;
  std::unordered_map<std::uint32_t, std::vector<LoneHop>> lone_hops_;  // by way, as links are now
  std::span<const LinkChange> changes_;                                // by time
  std::size_t next_change_ = 0;
  Stamp next_look_ = 0;         // no look for deadlocks before this time
  bool fetches_ahead_ = false;  // the ports take more memory than caches hold
  static constexpr Stamp stopped = -1;
  Stamp limit_ = 0;
  static constexpr std::uint64_t events_between_looks = 1 << 16;
  // Events until it looks whether bytes have been acknowledged.
  std::uint64_t events_until_look_ = events_between_looks;
  // Events since bytes were acknowledged, as of the last look.
  std::uint64_t idle_events_ = 0;
};

}  // namespace orrery::core
