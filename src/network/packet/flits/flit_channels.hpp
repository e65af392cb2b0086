// The virtual channels of a network of flits. It knows which packet has which channel, how much room their
// buffers have, and the flits and credits that are on their way over wires.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "network/packet/flits/fabric.hpp"

namespace orrery::core {

// Hands things over one by one, at a distance in time: flits over a wire that is too narrow for them, and the
// credits that go back.
class Serializer {
 public:
  // Makes a serializer in which `period` cycles pass from one item to the next, in the long run.
  explicit Serializer(double period = 1)
      : whole_(static_cast<std::int64_t>(period)),
        part_(static_cast<std::uint64_t>(std::llround((period - std::floor(period)) * one))) {}

  struct Item {
    std::uint32_t item;
    std::int64_t cycle;  // cycle in which it arrives
  };

  // Takes an item that can arrive in the cycle `earliest`, if it waits for no other item.
  void take(std::uint32_t item, std::int64_t earliest) {
    const Instant next = after(last_);
    last_ = next.cycle >= earliest ? next : Instant{earliest, 0};
    const auto line =
        static_cast<std::uint64_t>((last_.cycle - earliest) / std::max<std::int64_t>(whole_, 1));
    longest_ = std::max(longest_, line);
    items_.push_back({item, last_.cycle});
  }

  // Calls f(item, cycle) for items that arrive before `latest` and for which it has not been called.
  template <class F>
  void release(std::int64_t latest, const F& f) {
    while (first_ < items_.size() && items_[first_].cycle < latest) {
      f(items_[first_].item, items_[first_].cycle);
      ++first_;
    }
    if (2 * first_ < items_.size()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  // Returns the largest number of items that have stood in line.
  std::uint64_t longest_line() const { return longest_; }

 private:
  static constexpr double one = 4294967296.0;  // parts of a cycle
  struct Instant {
    std::int64_t cycle;
    std::uint64_t part;
  };
  Instant after(const Instant& instant) const {
    const std::uint64_t part = instant.part + part_;
    return {instant.cycle + whole_ + static_cast<std::int64_t>(part >> 32), part & 0xffffffff};
  }

  std::int64_t whole_;
  std::uint64_t part_;
  Instant last_{-(std::int64_t{1} << 40), 0};
  std::vector<Item> items_;  // items for which f has not been called, from first_ on
  std::size_t first_ = 0;
  std::uint64_t longest_ = 0;
};

// The wheel tells what happens in each cycle that is not far ahead.
class CycleWheel {
 public:
  // Makes a wheel for cycles that lie less than `horizon` ahead.
  explicit CycleWheel(std::int64_t horizon)
      : slots_(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(horizon, 64)))),
        lists_(slots_),
        used_(slots_ / 64) {}

  std::int64_t horizon() const { return static_cast<std::int64_t>(slots_); }
  bool empty() const { return held_ == 0; }

  void add(std::int64_t cycle, std::uint32_t item) {
    const std::uint64_t slot = slot_of(cycle);
    std::vector<std::uint32_t>& list = lists_[slot];
    if (list.empty()) {
      used_[slot / 64] |= std::uint64_t{1} << slot % 64;
      ++held_;
    }
    list.push_back(item);
  }

  // Calls f(item) for each item of the cycle, in the order in which they were added. `f` must not add items
  // to this cycle.
  template <class F>
  void take(std::int64_t cycle, const F& f) {
    const std::uint64_t slot = slot_of(cycle);
    std::vector<std::uint32_t>& list = lists_[slot];
    if (list.empty()) return;
    for (const std::uint32_t item : list) f(item);
    list.clear();
    used_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    --held_;
  }

  // Returns the first cycle from `cycle` on that has an item. The wheel must not be empty.
  std::int64_t next(std::int64_t cycle) const {
    const std::uint64_t from = slot_of(cycle);
    std::uint64_t word = from / 64;
    std::uint64_t bits = used_[word] & (~std::uint64_t{0} << from % 64);
    while (bits == 0) {
      word = (word + 1) % used_.size();
      bits = used_[word];
    }
    const std::uint64_t slot = word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
    return cycle + static_cast<std::int64_t>((slot + slots_ - from) & (slots_ - 1));
  }

 private:
  std::uint64_t slot_of(std::int64_t cycle) const { return static_cast<std::uint64_t>(cycle) & (slots_ - 1); }

  std::uint64_t slots_;
  std::vector<std::vector<std::uint32_t>> lists_;  // by cycle modulo slots_
  std::vector<std::uint64_t> used_;                // slots with items, as bits
  std::uint64_t held_ = 0;                         // number of items
};

// The packet that has a virtual channel. Its buffer is at the end of the wire, its credits at the
// beginning.
struct FlitVc {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t wire;
  std::uint32_t credits;
  std::uint32_t message = none;
  std::uint32_t left = 0;      // flits that have not gone on from the buffer
  std::uint32_t buffered = 0;  // number of these flits that are in the buffer
  std::uint32_t group = none;  // known when the head has arrived
  std::uint32_t out = none;    // virtual channel on the next wire
  std::uint32_t next = none;   // next one of the group
};
class FlitChannels {
 public:
  using Cycle = std::int64_t;
  static constexpr std::uint32_t none = FlitVc::none;
  struct Traffic {  // traffic of a wire
    std::uint64_t flits = 0;
    std::uint64_t longest_line = 0;  // most flits that have waited for it
    // The most virtual channels of a vnet that had packets at once, and the most flits that one of them held.
    std::uint32_t max_channels = 0, fullest_channel = 0;
    double held_cycles = 0;  // sum over all flits of the cycles that they were in a buffer at its end
  };

  // Keeps a reference. Throws InputError when the network has too many virtual channels.
  explicit FlitChannels(const Fabric& fabric);

  std::uint32_t per_vnet() const { return per_vnet_; }
  FlitVc& operator[](std::uint32_t vc) { return vcs_[vc]; }
  const FlitVc& operator[](std::uint32_t vc) const { return vcs_[vc]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(vcs_.size()); }
  std::uint32_t first_of(WireId wire) const { return wires_[wire].first_vc; }
  // A lane is a wire's virtual channels of one vnet.
  std::uint32_t lane_of(WireId wire) const { return first_of(wire) / per_vnet_; }

  // Returns the first free virtual channel of the lane. Returns the last one only if `any` is set.
  std::uint32_t free_vc(std::uint32_t lane, bool any) const;
  // Does the same from a place in the lane on, going around it.
  std::uint32_t free_vc_from(std::uint32_t lane, std::uint32_t index) const;
  // Says that the virtual channel has a packet from now on.
  void take(std::uint32_t vc);
  // Says in which cycle an NPU made the packet that has the virtual channel.
  void set_made(std::uint32_t vc, Cycle cycle) { made_[vc] = static_cast<std::uint32_t>(cycle); }
  void pass_made(std::uint32_t from, std::uint32_t to) { made_[to] = made_[from]; }
  // Returns the cycles since that one, modulo 2^32.
  std::uint32_t age(std::uint32_t vc, Cycle now) const { return static_cast<std::uint32_t>(now) - made_[vc]; }

  // The first function puts a flit for the virtual channel at the end of the wire on its way. The second
  // sends a credit back; `free` says that the packet's tail has gone.
  void put_flit(Cycle now, std::uint32_t vc);
  void put_credit(Cycle now, std::uint32_t vc, bool free);

  // These functions call f(vc) for every flit that arrives in the cycle, and f(vc, free) for every credit,
  // which counts from then on.
  template <class F>
  void take_flits(Cycle now, const F& f) {
    flits_.take(now, [&](std::uint32_t vc) {
      State& wire = wires_[vcs_[vc].wire];
      if (wire.serializer != none) release(now, wire.serializer, flits_);
      wire.held -= now;
      f(vc);
      wire.fullest_channel = std::max(wire.fullest_channel, vcs_[vc].buffered);
    });
  }
  template <class F>
  void take_credits(Cycle now, const F& f) {
    credits_.take(now, [&](std::uint32_t item) {
      const std::uint32_t vc = item >> 1;
      const bool free = (item & 1) != 0;
      const State& wire = wires_[vcs_[vc].wire];
      if (wire.serializer != none) release(now, wire.serializer + 1, credits_);
      ++vcs_[vc].credits;
      if (free) set_free(vc);
      f(vc, free);
    });
  }
  // Returns the first cycle from this one on in which anything arrives, or `never`.
  Cycle next_arrival(Cycle cycle) const;
  static constexpr Cycle never = INT64_MAX;

  // Returns the traffic until a cycle that is not earlier than the last one.
  Traffic traffic(WireId wire, Cycle now) const;

 private:
  struct State {  // of a wire
    std::uint32_t first_vc = 0;
    // Cycles from the end of the crossbar to the buffer beyond, and back.
    std::uint32_t flit_cycles = 0, credit_cycles = 0;
    std::uint32_t serializer = none;  // serializer of flits; that of credits is the next one
    std::uint32_t max_channels = 0, fullest_channel = 0;
    std::uint64_t flits = 0;
    // Sum of the cycles in which flits left its buffers, less the sum of those in which they came.
    std::int64_t held = 0;
  };
  void release(Cycle now, std::uint32_t serializer, CycleWheel& wheel);
  void set_free(std::uint32_t vc);

  std::uint32_t per_vnet_, words_;
  std::vector<State> wires_;
  std::vector<FlitVc> vcs_;
  std::vector<std::uint32_t> made_;   // cycles modulo 2^32, by virtual channel
  std::vector<std::uint64_t> free_;   // virtual channels of each lane, as bits
  std::vector<std::uint32_t> taken_;  // number of channels that are not free, by lane
  std::vector<Serializer> serializers_;
  CycleWheel flits_, credits_;
};

}  // namespace orrery::core
