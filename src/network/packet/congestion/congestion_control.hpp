// Congestion control: at which rate a flow sends, by what acknowledgements tell its sender.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "network/packet/congestion/congestion_settings.hpp"
#include "network/packet/ecn_thresholds.hpp"
#include "network/packet/packet.hpp"
#include "network/packet/packet_clock.hpp"
#include "network/packet/sender.hpp"

namespace orrery {

struct Acknowledgement {
  std::uint64_t sequence = 0;
  bool marked = false;
  Stamp rtt = 0;
  std::size_t hops = 0;                  // whose telemetry there is
  const Telemetry* telemetry = nullptr;  // null: none
};

class SwitchTelemetry;
struct GrantRules;

// Tells a congestion control when its time has come.
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
  // Returns what writes telemetry in switches; null: nothing does.
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

inline constexpr std::size_t most_timers = 3;  // of a flow

struct CongestionParts {
  const CongestionSettings& settings;
  const PacketClock& clock;
  CongestionTimers& timers;
  std::uint32_t payload;  // bytes per packet, at most
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
  bool needs_window = false;       // rates follow from it
  // It has a window of its own, as TCP does, and needs receivers that keep what comes out of order.
  bool own_window = false;
  bool recovers_slowly = false;  // over milliseconds from what a contention has done to it, without a window
  std::span<const std::string_view> keys = {};  // of `packets` that set something of it
  double gain = 1.0 / 256;                      // of its moving averages where nobody says which
  EcnThresholds marks = {};                     // that it needs where nobody says which; rate 0: none
  const GrantRules* grants = nullptr;           // its receivers grant packets; null: they do not
  std::unique_ptr<CongestionControl> (*make)(const CongestionParts& parts) = nullptr;  // null: senders obey
};

}  // namespace orrery
