// The buffer of a switch, which all its ports share. It decides when the switch makes senders pause
// (docs/models/network-packet.md, Shared buffers).
//
// Packets that wait are counted by the port that they came in by and by their priority. Each port and
// priority has a reserve of its own, then a part of what is free of the pool, and in the end headroom for
// what is under way when a pause is sent.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "network/packet/egress_queues.hpp"
#include "network/packet/high_water_mark.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

// The bytes that came in by a port and have not left the switch.
struct alignas(64) IngressUse {
  struct OfPriority {
    std::uint32_t common = 0;    // bytes in the reserve and the pool
    std::uint32_t headroom = 0;  // bytes
  };

  std::uint32_t headroom = 0;  // bytes of headroom that there are
  int shift = 0;               // the port may use a part of 2^-shift of what is free
  unsigned paused = 0;         // a bit per priority: the sender has been asked to
  std::uint64_t all = 0;       // bytes of all priorities
  std::array<OfPriority, priorities> use;
};

class SharedBuffer {
 public:
  SharedBuffer() = default;
  // `bytes` are those of the whole buffer, `pool` those that are for all ports; `payload` is the size of a
  // packet's data, in bytes.
  SharedBuffer(std::uint64_t bytes, std::uint32_t pool, const SharedBufferSettings& settings,
               std::uint32_t payload, bool pauses)
      : pool_(pool),
        reserve_(settings.reserve),
        resume_offset_(settings.resume_offset),
        pauses_(pauses),
        bytes_(bytes),
        pause_above_(settings.pause_above * payload),
        resume_below_(settings.resume_below * payload) {}

  // Returns the bytes of the whole buffer.
  std::uint64_t bytes() const { return bytes_; }

  // Takes in a packet. Returns false when there is no room.
  [[nodiscard]] bool admit(IngressUse& port, int priority, std::uint32_t bytes) {
    IngressUse::OfPriority& use = port.use[static_cast<std::size_t>(priority)];
    if (pause_above_ > 0) return take(port, use, bytes);
    const std::uint32_t limit = threshold(port), common = use.common + bytes;
    if (bytes + use.headroom > port.headroom && bytes + shared(use) > limit) return false;
    count(port, bytes);
    if (common > reserve_ && common - reserve_ > limit) {
      use.headroom += bytes;
    } else {
      use.common = common;
      if (common > reserve_) shared_ += std::min(bytes, common - reserve_);
    }
    return true;
  }
  // Takes in a packet that leaves at once, where that has no consequences: there is room, and no sender has
  // paused or is to pause. Returns false where it may have some; then nothing has happened.
  [[nodiscard]] bool pass(const IngressUse& port, int priority, std::uint32_t bytes) {
    const IngressUse::OfPriority& use = port.use[static_cast<std::size_t>(priority)];
    if (pause_above_ > 0 || use.headroom > 0 || port.paused != 0) return false;
    const std::uint32_t common = use.common + bytes, above = common > reserve_ ? common - reserve_ : 0;
    if (bytes + shared(use) > threshold(port)) return false;
    // The packet itself takes a part of the pool, so that less of it is free for others.
    if (pauses_ && above >= (pool_ - shared_ - std::min(bytes, above)) >> port.shift) return false;
    peak_.rise_to(in_use_ + bytes);
    return true;
  }
  void release(IngressUse& port, int priority, std::uint32_t bytes) {
    IngressUse::OfPriority& use = port.use[static_cast<std::size_t>(priority)];
    in_use_ -= bytes;
    port.all -= bytes;
    if (pause_above_ > 0) {
      use.common -= bytes;
      return;
    }
    const std::uint32_t from_headroom = std::min(use.headroom, bytes), rest = bytes - from_headroom;
    shared_ -= std::min(rest, shared(use));
    use.headroom -= from_headroom;
    use.common -= rest;
  }

  // These functions return whether a sender that has not paused should pause, and whether one that has paused
  // should go on.
  bool should_pause(const IngressUse& port, int priority) const {
    if (!pauses_ || (port.paused >> priority & 1) != 0) return false;
    if (pause_above_ > 0) return port.all > pause_above_;
    const IngressUse::OfPriority& use = port.use[static_cast<std::size_t>(priority)];
    return use.headroom > 0 || shared(use) >= threshold(port);
  }
  bool should_resume(const IngressUse& port, int priority) const {
    if ((port.paused >> priority & 1) == 0) return false;
    if (pause_above_ > 0) return port.all < resume_below_;
    const IngressUse::OfPriority& use = port.use[static_cast<std::size_t>(priority)];
    if (use.headroom > 0) return false;
    return shared(use) == 0 || shared(use) + resume_offset_ <= threshold(port);
  }

  std::uint64_t in_use() const { return in_use_; }
  std::uint64_t peak() const { return peak_.highest(); }
  std::uint64_t recent_peak() const { return peak_.recent(); }
  std::uint64_t take_recent_peak() { return peak_.take_recent(in_use_); }

 private:
  void count(IngressUse& port, std::uint32_t bytes) {
    port.all += bytes;
    in_use_ += bytes;
    peak_.rise_to(in_use_);
  }
  // Takes in a packet where all bytes of the buffer are for everybody.
  [[nodiscard]] bool take(IngressUse& port, IngressUse::OfPriority& use, std::uint32_t bytes) {
    if (in_use_ + bytes > bytes_) return false;
    count(port, bytes);
    use.common += bytes;
    return true;
  }
  std::uint32_t shared(const IngressUse::OfPriority& use) const {
    return use.common > reserve_ ? use.common - reserve_ : 0;
  }
  std::uint32_t threshold(const IngressUse& port) const { return (pool_ - shared_) >> port.shift; }

  std::uint32_t pool_ = 0;  // bytes; all that is counted here is modulo 2^32
  std::uint32_t reserve_ = 0, resume_offset_ = 0;
  bool pauses_ = true;
  std::uint64_t bytes_ = 0;  // bytes of the whole buffer in use
  std::uint64_t pause_above_ = 0, resume_below_ = 0;
  std::uint32_t shared_ = 0;  // bytes of the pool in use
  std::uint64_t in_use_ = 0;
  HighWaterMark peak_;
};

}  // namespace orrery::core
