// Congestion control decides at which rate a flow sends, from what acknowledgements tell its sender.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "network/packet/packet.hpp"
#include "network/packet/packet_clock.hpp"
#include "network/packet/sender.hpp"
#include "network/packet/settings/congestion_settings.hpp"
#include "network/packet/settings/ecn_thresholds.hpp"

namespace orrery::core {

struct Acknowledgement {
  std::uint64_t sequence = 0;
  bool marked = false;
  Stamp rtt = 0;
  std::size_t hops = 0;                  // number of hops that have telemetry
  const Telemetry* telemetry = nullptr;  // null: none
};

class SwitchTelemetry;
struct GrantRules;

// Tells a congestion control when one of its timers has run out.
class CongestionTimers {
 public:
  virtual void set(const Sender& sender, std::uint8_t timer, Stamp at) = 0;
  virtual void stop(const Sender& sender, std::uint8_t timer) = 0;

 protected:
  ~CongestionTimers() = default;
};

class CongestionControl {
 public:
  virtual ~CongestionControl() = default;
  // Returns the object that writes telemetry in switches. Null: nothing is written.
  virtual SwitchTelemetry* telemetry() { return nullptr; }
  // A flow begins, at the rate of its line.
  virtual void begin(Sender& sender) = 0;
  // The sender has taken note of an acknowledgement.
  virtual void acknowledged(Sender& sender, const Acknowledgement& ack, Stamp now) = 0;
  // Packets have been found to be lost, the first ones of those that were sent since the last such finding.
  virtual void lost(Sender& /*sender*/, Stamp /*now*/) {}
  // Nothing has been acknowledged for too long.
  virtual void timed_out(Sender& /*sender*/, Stamp /*now*/) {}
  virtual void timer(Sender& /*sender*/, std::uint8_t /*timer*/, Stamp /*now*/) {}
  // All bytes have been acknowledged.
  virtual void end(Sender& /*sender*/) {}
};

inline constexpr std::size_t max_timers = 3;  // of a flow

struct CongestionParts {
  const CongestionSettings& settings;
  const PacketClock& clock;
  CongestionTimers& timers;
  std::uint32_t payload;  // most bytes in a packet
  std::uint64_t seed;
};

template <class Control>
std::unique_ptr<CongestionControl> make_control(const CongestionParts& parts) {
  return std::make_unique<Control>(parts);
}

struct CongestionKind {
  std::string_view name;           // the word by which users choose it
  std::uint32_t header_bytes = 0;  // in data packets and acknowledgements
  bool telemetry = false;          // switches write down what they see
  bool needs_window = false;       // rates follow from the window
  // The control has a window of its own, as TCP does, and needs receivers that keep packets which come out of
  // order.
  bool own_window = false;
  bool recovers_slowly = false;  // takes milliseconds to recover from a contention, unless there is a window
  std::span<const std::string_view> keys = {};  // keys of `packets` that set something for it
  double gain = 1.0 / 256;                      // gain of its moving averages if the user gives none
  // Thresholds that it needs if the user gives none; rate 0: none.
  EcnThresholds marks = {};
  // The rules by which its receivers grant packets; null: they do not.
  const GrantRules* grants = nullptr;
  // Null: senders only obey their receivers.
  std::unique_ptr<CongestionControl> (*make)(const CongestionParts& parts) = nullptr;
};

}  // namespace orrery::core
