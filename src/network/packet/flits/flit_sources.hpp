// What NPUs send: messages, the packets that they are cut into, and the choice of the flit that goes on an
// NPU's wire.
#pragma once

#include <cstdint>
#include <vector>

#include "network/packet/flits/fabric.hpp"
#include "network/packet/flits/flit_channels.hpp"

namespace orrery::core {

struct FlitMessage {
  std::uint32_t from, to, turn;
  std::uint32_t next;                 // next message that waits for the same source
  std::uint64_t to_make, to_receive;  // numbers of packets
  std::uint32_t last_flits;           // flits of the last packet
};
class FlitSources {
 public:
  // Keeps references.
  FlitSources(const Fabric& fabric, FlitChannels& channels);

  // Does what FlitEngine::send() does.
  std::uint32_t send(std::uint32_t from, std::uint32_t to, std::uint32_t vnet, std::uint32_t turn,
                     std::uint64_t bytes);
  const FlitMessage& message(std::uint32_t number) const { return messages_[number]; }
  // Counts a packet of the message as received.
  void receive_packet(std::uint32_t message);
  const std::vector<std::uint32_t>& received() const { return received_; }
  void forget_received();
  bool in_flight() const { return in_flight_ > 0; }

  // Lets every NPU that can send do so.
  void simulate(FlitChannels::Cycle now);
  bool busy() const { return !active_.empty(); }
  // Says that the NPU's wire has one more credit.
  void activate(WireId wire);

 private:
  static constexpr std::uint32_t none = FlitVc::none;
  // What an NPU has to send in a vnet.
  struct Source {
    std::uint32_t first = none, last = none;  // messages
    std::uint32_t next_vc = 0;
    std::uint32_t begin = 0, size = 0;  // of the ring of packets that are to be sent
    std::uint32_t last_sent = 0;        // virtual channel, where packets are interleaved
    bool active = false;
  };

  void send_from(WireId wire, FlitChannels::Cycle now);
  void make_packet(Source& source, WireId wire, FlitChannels::Cycle now);
  std::uint32_t vc_to_send(const Source& source, WireId wire) const;
  bool can_send(const Source& source, WireId wire) const;
  std::uint32_t& order_of(WireId wire, std::uint32_t index);

  const Fabric& fabric_;
  FlitChannels& channels_;
  const std::uint32_t vcs_per_vnet_;
  std::vector<FlitMessage> messages_;
  std::vector<std::uint32_t> free_messages_, received_;
  std::uint64_t in_flight_ = 0;
  std::vector<Source> sources_;              // by the wire of an NPU
  std::vector<std::uint32_t> order_;         // virtual channels with packets to be sent, by source
  std::vector<std::uint32_t> left_to_send_;  // flits, by virtual channel of an NPU's wire
  std::vector<WireId> active_;
};

}  // namespace orrery::core
