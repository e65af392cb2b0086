// A packet, and the store of all packets that are somewhere in the network.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "events/clock.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

using PacketId = std::uint32_t;
inline constexpr PacketId no_packet = 0xffffffff;

enum class PacketKind : std::uint8_t {
  data,
  ack,  // all before `sequence` has arrived
  // Bytes from there on are missing, though later ones have arrived, or a packet has lost its payload.
  nack,
  header,   // header of data that a switch had no room for
  pull,     // the sender may send as many packets in all as `credit` says
  request,  // the sender has as many packets, of which it may send none
  // Asks the sender at the other end of the link to pause a priority, which is in the place of the payload.
  pause,
  resume,
  credits,  // the number of blocks that may be sent is in `sequence`
};

// Returns whether a packet is only for the other end of its link.
constexpr bool is_for_link(PacketKind kind) {
  return kind >= PacketKind::pause;
}

// A packet takes a cache line.
struct alignas(64) Packet {
  // Number of the first byte; in acknowledgements: of the next byte that is awaited.
  std::uint64_t sequence = 0;
  Stamp sent = 0;             // when the data left its sender, also in the acknowledgement
  PacketId next = no_packet;  // in a queue
  std::uint32_t queue_pair = 0;
  std::uint32_t route = 0;  // place among the routes of the next link to take
  // Port of the node where the packet is, by which the packet came in. The port is named by the link that
  // leaves from it.
  LinkId entered_by = LinkId::none;
  std::uint32_t bytes = 0;  // on a wire
  // For data, the number of its bytes. An acknowledgement says here how many bytes behind `sequence` the
  // packet begins that it answers; 0: that packet was in order.
  std::uint32_t payload = 0;
  // Its number in the flow, where senders count packets; also in the acknowledgement.
  std::uint32_t transmission = 0;
  PacketKind kind = PacketKind::data;
  std::uint8_t priority = 0;
  // A switch with a long queue has marked it; in an acknowledgement: the data was marked.
  bool marked = false;
  std::uint8_t hops = 0;  // number of switches that have written down their telemetry
  // Where receivers grant packets: the number that is granted in all. In data and requests: the number that
  // the sender has in all.
  std::uint32_t credit = 0;
  std::uint16_t label = 0;  // for routings that look at it; also in the answer
};

// What a switch writes down about the port that a packet leaves by.
struct HopTelemetry {
  std::int64_t at = 0;      // ns, or ps where it is exact
  std::uint64_t sent = 0;   // bytes before this packet, in the units of the encoding
  std::uint64_t queue = 0;  // bytes behind it, in the units of the encoding
  std::uint64_t rate = 0;   // bit/s
};

inline constexpr std::size_t max_hops = 5;  // number of hops for which a packet has room

struct Telemetry {
  std::array<HopTelemetry, max_hops> hops;
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
  // Exchanges the contents of two packets, but not their places in queues.
  void exchange(PacketId one, PacketId other) {
    std::swap(packets_[one], packets_[other]);
    std::swap(packets_[one].next, packets_[other].next);
    if (telemetry_) std::swap(telemetries_[one], telemetries_[other]);
  }
  // Fetches a packet into the cache, which will be needed soon.
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

}  // namespace orrery::core
