// The port of a node: its queues and what sends their packets into a link.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "events/clock.hpp"
#include "network/packet/egress_queues.hpp"
#include "network/packet/high_water_mark.hpp"
#include "network/packet/packet_clock.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

// Counts how often priorities or lanes of a port are held up, and adds up for how long at least one of them
// is.
class HoldTimer {
 public:
  void begin(int number, Stamp now) {
    if ((held_ >> number & 1) != 0) return;
    if (held_ == 0) since_ = now;
    held_ |= 1u << number;
    ++count_;
  }
  void end(int number, Stamp now) {
    if (held_ == 0) return;
    held_ &= ~(1u << number);
    if (held_ == 0) total_ += now - since_;
  }

  std::uint64_t count() const { return count_; }
  // Returns the time until now, which may lie before the last event that was simulated.
  Stamp total(Stamp now) const { return held_ == 0 ? total_ : total_ + std::max<Stamp>(0, now - since_); }

 private:
  unsigned held_ = 0;  // a bit for each
  std::uint64_t count_ = 0;
  Stamp since_ = 0, total_ = 0;
};

struct PacketTotals {
  std::uint64_t data = 0, acks = 0, nacks = 0, drops = 0, pauses = 0, marks = 0;
  std::uint64_t resent_bytes = 0, delivered_bytes = 0;  // of payload
};

// Members that every packet reads or changes stand in front, so that a packet touches few cache lines.
struct alignas(64) PacketPort {
  // The transmitter is busy until the event of this time and number, which need not be in the list of events
  // as long as nothing waits for it.
  Stamp free_at = 0;
  std::uint64_t free_order = 0;
  Stamp delay = 0;
  std::array<std::uint32_t, 2> known_sizes{};  // bytes: sizes of packets, of which there are few
  std::array<Stamp, 2> known_times{};          // times that their transmissions take
  LinkId reverse;                              // port of the node at the other end
  NodeId node;                                 // whose port it is
  bool free_is_coming = false;                 // the event that makes it free is in the list
  bool is_nic = false;                         // the port of a host
  bool forwards = false;                       // the node passes on packets that are meant for others
  bool unusual = false;                        // broken or traced
  bool passed_on = false;                      // at a NIC that forwards: the last packet came from others
  bool has_flows = false;                      // flows that begin at the node are listed there
  // It has lanes, which take turns and have buffers of their own at the other end.
  bool has_lanes = false;
  Stamp busy = 0;                        // for how long it has sent
  std::uint64_t packets = 0, bytes = 0;  // sent
  HighWaterMark longest_queue;           // bytes
  EgressQueues queues;
  NodeId peer;             // the node at the other end
  bool broken = false;     // what is sent is lost
  bool traced = false;     // of a node whose packets are traced
  std::uint64_t rate = 0;  // bit/s
  double loss = 0;         // share of packets
  EcnThresholds ecn;
  std::uint64_t drops = 0, marks = 0, trims = 0;  // packets that were to be sent here
  HoldTimer holds;                                // times of pauses, or of waiting for credits
  std::uint64_t flows = 0;                        // flows of data that began here
  // Bytes that left the queues, times the moments when they did, less bytes that came into them, times the
  // moments when those did. The unit is bytes * 1024 ps, modulo 2^64. With the bytes that still wait this is
  // the area below the curve of the bytes that waited.
  std::uint64_t waited = 0;
  std::uint64_t resent = 0;  // bytes of data that had been sent before

  // Returns the priority of an answer to data of a priority. It goes like the data, unless it goes before
  // everything else because switches trim packets, or hosts that only send their own data have one queue for
  // all answers.
  std::uint8_t answer_priority(std::uint8_t of_data, bool goes_first, bool one_queue) const {
    return goes_first || (one_queue && !forwards && !has_lanes) ? 0 : of_data;
  }
  // These functions say that so many bytes come into the queues, or leave them.
  void wait_from(Stamp now, std::uint32_t packet_bytes) { waited -= area(packet_bytes, now); }
  void wait_until(Stamp now, std::uint32_t packet_bytes) { waited += area(packet_bytes, now); }
  // Returns the bytes that have waited on average from the beginning until now.
  double mean_queue(Stamp now) const {
    if (now < 1 << area_shift) return 0;
    return static_cast<double>(waited + area(queues.bytes(), now)) / static_cast<double>(now >> area_shift);
  }
  // Fetches the members in front into the cache, which will be needed soon.
  void fetch() const {
    constexpr std::size_t line = 64;
    const char* const start = reinterpret_cast<const char*>(this);
    for (std::size_t i = 0; i < 3; ++i) __builtin_prefetch(start + i * line, 1);
  }
  void set_rate(std::uint64_t bits_per_s) {
    rate = bits_per_s;
    known_sizes = {};
  }
  Stamp transmission(std::uint32_t packet_bytes, const PacketClock& clock) {
    const std::size_t kind = packet_bytes >> 7 != 0 ? 1 : 0;
    if (known_sizes[kind] == packet_bytes) [[likely]]
      return known_times[kind];
    return learn_transmission(kind, packet_bytes, clock);
  }

 private:
  // This is apart from the usual path, which then has no registers to save.
  [[gnu::noinline]] Stamp learn_transmission(std::size_t kind, std::uint32_t packet_bytes,
                                             const PacketClock& clock) {
    known_sizes[kind] = packet_bytes;
    return known_times[kind] = clock.transmission(packet_bytes, rate);
  }

  static constexpr int area_shift = 10;

  static std::uint64_t area(std::uint64_t packet_bytes, Stamp now) {
    return packet_bytes * static_cast<std::uint64_t>(now >> area_shift);
  }
};

}  // namespace orrery::core
