// Simulates hosts: their queue pairs send and receive, and take turns at their NICs.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/containers/numbered.hpp"
#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/flow_control/flow_control.hpp"
#include "network/packet/grants/packet_grants.hpp"
#include "network/packet/hosts/nic_scheduler.hpp"
#include "network/packet/links/packet_links.hpp"
#include "network/packet/packet_message.hpp"
#include "network/packet/queue_pairs/queue_pairs.hpp"
#include "network/packet/reliability/reliability.hpp"
#include "network/packet/routes/packet_labels.hpp"
#include "network/packet/switches/packet_switches.hpp"

namespace orrery::core {

// Tells the listener what becomes of messages, and ends queue pairs.
class MessageEnds {
 public:
  // Keeps references.
  MessageEnds(const PacketSettings& settings, PacketLinks& links, QueuePairs& pairs, NicScheduler& turns,
              PacketListener& listener)
      : settings_(settings), links_(links), pairs_(pairs), turns_(turns), listener_(listener) {}
  // Keeps a reference. The control is told of queue pairs that end.
  void set_control(CongestionControl& control) { control_ = &control; }

  // The receiver of a queue pair has got more bytes in order.
  void deliver(QueuePair& pair) {
    while (const QueuePair::Message* const message = pair.take_delivered())
      if (!settings_.ends_when_acknowledged) listener_.delivered(message->number, links_.now());
  }
  // The sender of a queue pair knows of more bytes that they have arrived. The queue pair ends if all have.
  void acknowledge(QueuePair& pair) {
    tell_acknowledged(pair);
    if (pair.is_finished()) end(pair);
  }
  // No route leads to the destination of a message that is to begin, or none back.
  void cut_off(const PacketMessage& message) const {
    listener_.cut({message.number, message.source, message.destination, message.channel, message.bytes},
                  links_.now());
  }
  // No route is left for a queue pair, or none back. It ends.
  void cut_off(QueuePair& pair);

 private:
  void tell_acknowledged(QueuePair& pair);
  void end(QueuePair& pair);

  const PacketSettings& settings_;
  const PacketLinks& links_;
  QueuePairs& pairs_;
  NicScheduler& turns_;
  PacketListener& listener_;
  CongestionControl* control_ = nullptr;  // null: none
};

// NICs that now and then take nothing in for a while, because their host is slow or they are broken. That
// stops their switch, by pauses or for want of credits.
class SlowNics {
 public:
  // Keeps references.
  SlowNics(const NicPauseSettings& settings, PacketLinks& links, FlowControl& flow_control);

  // Data comes in by a port. The NIC may stop then.
  void receive(LinkId port, int priority) {
    if (!nics_.empty() && nics_[port.index()].left > 0) stop(port, priority);
  }
  void go_on(LinkId port, int priority) { flow_control_.let_sender_go_on(port, priority); }

 private:
  struct Nic {
    int left = 0;         // number of stops that are left
    Stamp next_stop = 0;  // no stop before this time
  };

  void stop(LinkId port, int priority);

  const NicPauseSettings& settings_;
  PacketLinks& links_;
  FlowControl& flow_control_;
  std::vector<Nic> nics_;  // by port; empty where no NIC stops
};

// The cores of hosts that work on acknowledgements, where software runs congestion control. Those of an NPU
// take the acknowledgements that come to it in their order, each as soon as one is free.
class ControlCores {
 public:
  // Keeps a reference.
  explicit ControlCores(const CongestionSettings& settings) : settings_(settings) {}

  bool exist() const { return settings_.control_time_ps > 0; }
  // Returns when a core will be through with an acknowledgement that has come to an NPU now.
  Stamp work(int npu, Stamp now);

 private:
  const CongestionSettings& settings_;
  std::vector<std::vector<Stamp>> free_at_;  // by NPU and core
};

class PacketHosts final : private CongestionTimers {
 public:
  // Keeps references.
  PacketHosts(const Topology& topology, const PacketSettings& settings, PacketLinks& links,
              PacketSwitches& switches, RouteTable& routes, PacketListener& listener,
              std::unique_ptr<RouteSelector> choice);

  void send(const PacketMessage& message);
  // A port of a host can send.
  void transmit(LinkId port);
  // A packet has come in by a port.
  void receive(LinkId port, PacketId packet);
  // Something is due that was planned here.
  void handle(PacketHappening what, const PacketEvent& event);
  // The time has come at which news of a queue pair was due. Returns whether there was none, also where the
  // queue pair has not been able to send anything that could be acknowledged.
  [[nodiscard]] bool pass_deadline(std::uint32_t queue_pair, std::uint32_t watch);
  // A packet of a queue pair is lost.
  void lost(std::uint32_t queue_pair);
  // Links have other shares of their bandwidth now, so all flows find their routes again. Those to which none
  // is left are given up.
  void find_routes_again();
  QueuePairs& pairs() { return pairs_; }
  const QueuePairs& pairs() const { return pairs_; }

  // Returns whether bytes have been acknowledged since this was called last.
  [[nodiscard]] bool take_progress() { return std::exchange(progress_, false); }

 private:
  void start(const PacketMessage& message);
  // A packet of a queue pair no longer exists.
  void gone(std::uint32_t queue_pair);

  // The following functions are for NICs.
  [[nodiscard]] bool send_first(LinkId port);
  void transmit_lane(LinkId port);

  // The following functions are for senders.
  void send_data(LinkId port, QueuePair& pair);
  void write_more(Sender& sender, Packet& packet);
  void pass_to_core(PacketId packet);
  void receive_ack(PacketId packet);
  void control_rate(QueuePair& pair, PacketId packet);

  // The following functions are for receivers.
  void receive_data(LinkId port, PacketId packet);
  void receive_of_grants(PacketId packet);
  void answer(QueuePair& pair, PacketId packet, PacketKind kind);

  // The following functions are for timers of congestion control.
  void set(const Sender& sender, std::uint8_t timer, Stamp at) override;
  void stop(const Sender& sender, std::uint8_t timer) override { ++pairs_[sender.number].timers[timer]; }
  void run_timer(std::uint32_t object, std::uint32_t number);

  // The following functions are for timeouts (packet_timeouts.cpp).
  void watch(QueuePair& pair);

  const NetworkGraph& graph_;
  const PacketSettings& settings_;
  PacketLinks& links_;
  PacketSwitches& switches_;
  const RouteTable& routes_;
  QueuePairs pairs_;
  NicScheduler turns_;
  MessageEnds ends_;
  bool trims_;  // answers of hosts go before everything else, also in switches
  SlowNics slow_nics_;
  ControlCores control_cores_;
  Numbered<PacketMessage> late_starts_;  // messages that wait for a time that the clock can count
  std::unique_ptr<Reliability> reliability_;
  bool tracks_packets_ = false;                 // reliability is told of every packet
  std::unique_ptr<CongestionControl> control_;  // null: none
  bool writes_more_ = false;                    // packets carry more, because one of the next two exists
  std::unique_ptr<PacketGrants> grants_;        // of receivers; null: senders need none
  std::unique_ptr<PacketLabels> labels_;        // null: nothing looks at labels
  std::uint32_t telemetry_bytes_ = 0;           // in packets
  std::size_t timers_left_ = 0;  // events of congestion control's timers, which alone make nothing happen
  bool progress_ = false;        // bytes have been acknowledged
};

}  // namespace orrery::core
