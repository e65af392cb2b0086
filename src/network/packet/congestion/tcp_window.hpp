// The congestion controls of TCP share this window. It grows by what is acknowledged up to a threshold
// (slow start) and then slowly (congestion avoidance), shrinks where packets are lost, and starts
// again from one packet after a timeout (RFC 5681).
//
// Windows are real numbers of full packets. Flows are not paced.
#pragma once

#include <algorithm>
#include <limits>

#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/flow_states.hpp"

namespace orrery::core {

class TcpWindow : public CongestionControl {
 public:
  explicit TcpWindow(const CongestionParts& parts) : settings_(parts.settings), payload_(parts.payload) {}

  // The window that the sender has is the largest that the receiver allows; 0: it allows any.
  void begin(Sender& sender) override {
    Flow& flow = flows_.begin(sender);
    if (sender.window > 0) flow.most = std::max(1.0, packets_of(sender.window));
    flow.window = settings_.initial_window;
    apply(sender, flow);
    begin_avoidance(sender);
  }

  void acknowledged(Sender& sender, const Acknowledgement& ack, Stamp now) override {
    Flow& flow = flows_[sender];
    const std::uint64_t sequence = std::max(flow.seen, ack.sequence), before = flow.seen;
    flow.seen = sequence;
    const double packets = packets_of(sequence - before);
    take_mark(sender, flow, ack, packets);
    const double used = packets_of(sender.sent - std::min(sender.sent, before));
    if (packets > 0 && !sender.recovering && used >= flow.to_be_used()) {
      if (flow.window < flow.threshold)
        flow.window += packets;
      else
        flow.window = avoid(sender, flow.window, packets, ack.rtt, now);
      flow.window = std::min(flow.window, flow.most);
    }
    apply(sender, flow);
  }

  void lost(Sender& sender, Stamp) override {
    Flow& flow = flows_[sender];
    reduce(sender, flow, after_loss(sender, flow.window));
    apply(sender, flow);
  }

  void timed_out(Sender& sender, Stamp) override {
    Flow& flow = flows_[sender];
    reduce(sender, flow, after_loss(sender, flow.window));
    flow.window = 1;
    apply(sender, flow);
  }

 protected:
  struct Flow {
    double window = 0, threshold = std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    std::uint64_t seen = 0;           // bytes acknowledged
    std::uint64_t reduced_until = 0;  // marks of packets that were sent before this byte have counted

    // Returns how many packets have to have been under way for a window to say something about the network.
    // In slow start two packets follow each acknowledgement, and wait for one another.
    double to_be_used() const { return window < threshold ? window / 2 : window - 2; }
  };

  // Returns the window after so many packets have been acknowledged in congestion avoidance.
  virtual double avoid(const Sender& sender, double window, double packets, Stamp rtt, Stamp now) = 0;
  // Returns the window that is left after a loss.
  virtual double after_loss(const Sender& sender, double window) = 0;
  // Called when congestion avoidance begins anew.
  virtual void begin_avoidance(const Sender& /*sender*/) {}
  // A mark counts as a loss, once in a window (RFC 3168).
  virtual void take_mark(Sender& sender, Flow& flow, const Acknowledgement& ack, double /*packets*/) {
    if (!ack.marked || ack.sequence <= flow.reduced_until || sender.recovering) return;
    reduce(sender, flow, after_loss(sender, flow.window));
    flow.reduced_until = sender.sent;
  }

  void reduce(const Sender& sender, Flow& flow, double window) {
    constexpr double least = 2;
    flow.threshold = flow.window = std::max(window, least);
    begin_avoidance(sender);
  }
  double packets_of(std::uint64_t bytes) const {
    return static_cast<double>(bytes) / static_cast<double>(payload_);
  }
  // Returns half of the bytes that have been sent and not acknowledged.
  double half_of_flight(const Sender& sender) const {
    return packets_of(sender.sent - sender.acknowledged) / 2;
  }

  const CongestionSettings& settings_;

 private:
  // Sets the window to whole packets, because only full packets are sent.
  void apply(Sender& sender, const Flow& flow) const {
    sender.window = static_cast<std::uint64_t>(std::max(1.0, flow.window)) * payload_;
  }

  std::uint32_t payload_;
  StateOfFlows<Flow> flows_;
};

}  // namespace orrery::core
