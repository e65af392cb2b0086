// A packet, and the store of all packets that are somewhere in the network.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "events/clock.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery {

using PacketId = std::uint32_t;
inline constexpr PacketId no_packet = 0xffffffff;

enum class PacketKind : std::uint8_t {
  data,
  ack,      // all before `sequence` has arrived
  nack,     // and what follows has not, though something behind it has, or a packet has lost its payload
  header,   // of data that a switch had no room for
  pull,     // the sender may send so many packets in all, as `credit` says
  request,  // the sender has that many packets, of which it may send none
  // For the sender at the other end of the link, of a priority, which is in the place of the payload.
  pause,
  resume,
  credits,  // for as many blocks as the sequence says
};

// Returns whether a packet is for the other end of its link alone.
constexpr bool is_for_link(PacketKind kind) {
  return kind >= PacketKind::pause;
}

// A cache line.
struct alignas(64) Packet {
  std::uint64_t sequence = 0;  // of the first byte; of acknowledgements: of the next one that is awaited
  Stamp sent = 0;              // when the data left its sender, also in the acknowledgement
  PacketId next = no_packet;   // in a queue
  std::uint32_t queue_pair = 0;
  std::uint32_t way = 0;  // place among the ways: the next link to take
  // Port of the node where the packet is, by which it came in; it is named by the link that leaves from it.
  LinkId entered_by = NetworkGraph::no_link;
  std::uint32_t bytes = 0;  // on a wire
  // For data, the number of its bytes. An acknowledgement says here how many bytes behind `sequence` the
  // packet begins that it answers; 0: that packet was in order.
  std::uint32_t payload = 0;
  std::uint32_t transmission = 0;  // its number in the flow, where senders count; also in the acknowledgement
  PacketKind kind = PacketKind::data;
  std::uint8_t priority = 0;
  bool marked = false;    // by a switch whose queue is long; in an acknowledgement: the data was
  std::uint8_t hops = 0;  // switches that have written down their telemetry
  // Where receivers grant packets: how many, in all; of data and requests: how many the sender has, in all.
  std::uint32_t credit = 0;
  std::uint16_t label = 0;  // for routings that look at it; also in the answer
};

// What a switch writes down of the port that a packet leaves by.
struct HopTelemetry {
  std::int64_t at = 0;      // ns, or ps where it is exact
  std::uint64_t sent = 0;   // bytes before this packet, in the units of the encoding
  std::uint64_t queue = 0;  // bytes behind it, in the units of the encoding
  std::uint64_t rate = 0;   // bit/s
};

inline constexpr std::size_t most_hops = 5;  // that have room in a packet

struct Telemetry {
  std::array<HopTelemetry, most_hops> hops;
};

class PacketPool {
 public:
  explicit PacketPool(bool telemetry) : telemetry_(telemetry) {}

  PacketId make(const Packet& packet) {
    ++in_use_;
    if (free_ == no_packet) {
      packets_.push_back(packet);
      if (telemetry_) telemetries_.emplace_back();
      return static_cast<PacketId>(packets_.size() - 1);
    }
    const PacketId id = free_;
    free_ = packets_[id].next;
    packets_[id] = packet;
    return id;
  }
  void drop(PacketId id) {
    --in_use_;
    packets_[id].next = free_;
    free_ = id;
  }
  // References are valid until the next make().
  Packet& operator[](PacketId id) { return packets_[id]; }
  const Packet& operator[](PacketId id) const { return packets_[id]; }
  // Has two packets change places, but not in queues.
  void exchange(PacketId one, PacketId other) {
    std::swap(packets_[one], packets_[other]);
    std::swap(packets_[one].next, packets_[other].next);
    if (telemetry_) std::swap(telemetries_[one], telemetries_[other]);
  }
  // Has a packet brought from memory for soon.
  void fetch(PacketId id) const { __builtin_prefetch(&packets_[id], 1); }
  Telemetry& telemetry(PacketId id) { return telemetries_[id]; }
  std::size_t in_use() const { return in_use_; }

 private:
  bool telemetry_;
  std::vector<Packet> packets_;
  std::vector<Telemetry> telemetries_;  // by packet; empty where nobody asks for it
  PacketId free_ = no_packet;
  std::size_t in_use_ = 0;
};

}  // namespace orrery
