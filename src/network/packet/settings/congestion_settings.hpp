// The settings of congestion control.
#pragma once

#include <cstdint>

namespace orrery::core {

struct CongestionKind;

struct DcqcnSettings {
  std::int64_t alpha_interval_ps = 55'000'000;
  std::int64_t decrease_interval_ps = 4'000'000;
  std::int64_t increase_interval_ps = 300'000'000;
  int fast_recovery_steps = 1;
  bool clamp_target = false;  // every decrease sets the target, not only the first after an increase
};

struct HpccSettings {
  double target = 0.95;            // utilization
  int stages = 5;                  // of additive increase, until the next multiplicative one
  bool fast_reaction = true;       // to every acknowledgement, not only to one per round trip
  bool rate_per_hop = false;       // each hop gives a rate, and the least rate counts
  bool skip_empty_queues = false;  // between rounds
  bool quantized = false;          // telemetry has few bits, as in packets
  std::uint64_t multiple = 1;      // of the units in which quantized telemetry counts
};

struct PintSettings {
  double log_base = 1.05;  // of the logarithm that packets carry
  double share = 1;        // share of the acknowledgements that count
};

// InfiniBand's timer is in units of 1.024 us, of which this is 10.
struct InfinibandSettings {
  int increase = 1, limit = 127;  // of the index
  std::int64_t timer_ps = 10'240'000;
  double halving = 16;  // entries of the table
};

struct TimelySettings {
  double gradient_weight = 0.875, decrease = 0.8;
  std::int64_t low_ps = 50'000'000, high_ps = 500'000'000, min_rtt_ps = 20'000'000;
};

// Settings of Swift. Windows are in packets.
struct SwiftSettings {
  // Target for the round trip of a large window, as a multiple of that of an empty network.
  double base = 1.25;
  double increase = 1, decrease = 0.8, max_decrease = 0.5;
  // Smaller windows have a larger target: between these two windows, up to so many times the target is added
  // to it.
  double scaling_range = 5, scaling_least = 0.1, scaling_most = 100;
  double min_window = 0.001;
  int timeouts_until_least = 5;  // number of timeouts one after the other
};

struct CongestionSettings {
  const CongestionKind* kind = nullptr;  // null: flows send at the rate of their link
  double gain = 1.0 / 256;               // gain of the moving averages of DCQCN and DCTCP
  std::uint64_t min_rate = 100'000'000;  // bit/s, as all rates
  std::uint64_t additive = 50'000'000, hyper = 100'000'000, dctcp_additive = 1'000'000'000;
  double initial_window = 10;  // packets with which TCP begins (RFC 6928)
  DcqcnSettings dcqcn;
  HpccSettings hpcc;
  PintSettings pint;
  InfinibandSettings infiniband;
  TimelySettings timely;
  SwiftSettings swift;
  // Time that a core of the host spends on each acknowledgement, where software of the host runs the control;
  // 0: the NIC runs it. An NPU has so many cores for that.
  std::int64_t control_time_ps = 0;
  std::uint32_t control_cores = 1;
};

}  // namespace orrery::core
