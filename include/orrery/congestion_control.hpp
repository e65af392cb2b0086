// Congestion controls of one's own: at which rate flows of packets send. The whole of one is
// examples/plugins/halve_and_add.cpp.
//
//   class Halving : public orrery::CongestionControl {
//     std::unique_ptr<orrery::CongestionFlow> begin(const orrery::FlowStart& flow) const override { ... }
//   };
#pragma once

#include <cstdint>
#include <memory>

#include "orrery/time.hpp"

namespace orrery {

// A flow that begins, at the rate of its line.
struct FlowStart {
  double line_rate = 0;       // bytes per second of the link out of its NIC
  Time base_round_trip = {};  // in an empty network
  std::uint32_t payload = 0;  // most bytes in a packet
};

// What an acknowledgement tells a sender.
struct FlowAcknowledgement {
  Time now = {}, round_trip = {};
  bool marked = false;             // a switch marked the packet behind a long queue (ECN)
  std::uint64_t acknowledged = 0;  // bytes of the flow until here
  double rate = 0;                 // bytes per second at which the flow sends now
};

// One flow. Its functions return the rate at which it sends from now on, in bytes per second. Rates above
// that of the line become it, and those below the `least-rate` of the packets become that. For one thread.
class CongestionFlow {
 public:
  virtual ~CongestionFlow() = default;
  // An acknowledgement has come. Returns the new rate in bytes per second.
  virtual double acknowledged(const FlowAcknowledgement& ack) = 0;
  // Packets have been found to be lost, or nothing has been acknowledged for too long. Both rates are in
  // bytes per second.
  virtual double lost(Time now, double rate) = 0;
};

// Makes what decides for each flow. A user asks for it by `congestion-control: NAME` of the packets. Several
// threads may use one.
class CongestionControl {
 public:
  virtual ~CongestionControl() = default;
  // Returns whether switches have to mark packets. They do from 300 kB of a queue of 100 Gbit/s on, and from
  // more or less of faster or slower ones, unless the packets' key `marks` says otherwise.
  virtual bool needs_marks() const { return false; }
  // Never returns null. What this and the functions of the flow throw ends the run as an error.
  virtual std::unique_ptr<CongestionFlow> begin(const FlowStart& flow) const = 0;
};

}  // namespace orrery
