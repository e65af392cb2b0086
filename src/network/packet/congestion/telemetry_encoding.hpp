// Says how telemetry counts: exactly, or in the few bits that it has in HPCC's packets. There, time wraps
// after 2^24 ns, bytes are counted in units and wrap, too, and queues are counted in units.
#pragma once

#include <cstdint>

#include "network/packet/packet.hpp"
#include "network/packet/settings/congestion_settings.hpp"

namespace orrery {

class TelemetryEncoding {
 public:
  explicit TelemetryEncoding(const HpccSettings& settings)
      : quantized_(settings.quantized),
        sent_unit_(quantized_ ? 128 * settings.multiple : 1),
        queue_unit_(quantized_ ? 80 * settings.multiple : 1) {}

  HopTelemetry record(Stamp now, std::uint64_t sent, std::uint64_t queue, std::uint64_t rate) const {
    if (!quantized_) return {now, sent, queue, rate};
    return {now / 1000 & time_mask, sent / sent_unit_ & sent_mask, queue / queue_unit_ & queue_mask, rate};
  }

  double ns_between(const HopTelemetry& now, const HopTelemetry& before) const {
    if (!quantized_) return static_cast<double>(now.at - before.at) / 1000;
    return static_cast<double>((now.at - before.at) & time_mask);
  }
  std::uint64_t sent(const HopTelemetry& now, const HopTelemetry& before) const {
    const std::uint64_t units = now.sent - before.sent;
    return (quantized_ ? units & sent_mask : units) * sent_unit_;
  }
  std::uint64_t queue(const HopTelemetry& record) const { return record.queue * queue_unit_; }

 private:
  static constexpr std::int64_t time_mask = (1 << 24) - 1;
  static constexpr std::uint64_t sent_mask = (1 << 20) - 1, queue_mask = (1 << 17) - 1;

  bool quantized_;
  std::uint64_t sent_unit_, queue_unit_;  // bytes
};

}  // namespace orrery
