// Carries the messages within phases: sends, receives and the rendezvous handshake
// (docs/models/collectives.md, Rendezvous and Matching).
#pragma once

#include <optional>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/messages/phase_kind.hpp"

namespace orrery::core {

class PhaseMessages final : private EventHandler {
 public:
  using RunId = PhaseEngine::RunId;

  // Keeps references. The transport says how long messages take; without one, they never meet.
  PhaseMessages(EventLoop& loop, PhaseRuns& runs, const ContentionFreeNetwork& network, Transport* transport,
                bool rendezvous, std::size_t parts, int topology_dimensions);

  // Sending has no effect on the sender, unless the kind of the phase says so; a receive ends in
  // data_arrived.
  void send(RunId run, RankId rank, std::uint32_t index, const PhaseMessage& message);
  void receive(RunId run, RankId rank, std::uint32_t index, const PhaseMessage& message);

  // The following two functions are for messages of an exchange without handshakes that came before they were
  // awaited. The first keeps such a message. The second returns when the oldest message that looks like this
  // one has arrived, or will arrive.
  void keep(PhaseRun& run, RankId rank, RankId from, Bytes bytes, Stamp finish);
  [[nodiscard]] std::optional<Stamp> take_kept(PhaseRun& run, RankId rank, const PhaseMessage& message);

  // Counts a message that is sent from NPU to NPU.
  void count(const PhaseRun& run, RankId from, RankId to, Bytes bytes) {
    ++sent_;
    if (from == run.recorded) count_payload(run, from, to, bytes);
  }
  std::uint64_t sent() const { return sent_; }
  const std::vector<Bytes>& payload(std::uint32_t part) const { return payload_[part]; }

 private:
  enum What : std::uint16_t { handshake_sent, handshake_arrived, data_carried, handshake_carried };
  enum Channel : std::uint8_t { data, handshake };

  void handle(const Event& event) override;
  void transmit(RunId run, Channel channel, RankId from, RankId to, Bytes bytes, std::uint32_t index,
                std::uint16_t lane = 0, const std::optional<PhaseMessage::Devices>& devices = {});
  void post(RunId run, Channel channel, RankId rank, RankId from, Bytes bytes, std::uint32_t index,
            std::uint16_t lane = 0);
  void await_data(RunId run, RankId rank, std::uint32_t index);
  void carried(RunId run, Channel channel, RankId from, std::uint32_t index);
  Stamp duration_of(const PhaseRun& run, RankId from, RankId to, Bytes bytes, std::uint32_t index) const;
  [[gnu::noinline]] void count_payload(const PhaseRun& run, RankId from, RankId to, Bytes bytes);
  void count_at_switch(const PhaseRun& run, RankId from, int source, Bytes bytes);
  PhaseMessage message_of(RunId run, RankId rank, std::uint32_t index) const {
    return runs_[run].kind->message(run, rank, index);
  }
  // Returns the event of a message's arrival at a rank that has called it `index`.
  Event arrival(Channel channel, RunId run, RankId rank, std::uint32_t index) const {
    if (channel == data) return runs_[run].kind->event(PhaseKind::data_arrived, run, rank, index);
    return event(handshake_arrived, run, rank, index);
  }
  Event event(What what, RunId run, RankId rank, std::uint32_t index) const {
    return Event{handler_, what, rank.value(), run, index};
  }

  EventLoop& loop_;
  PhaseRuns& runs_;
  const ContentionFreeNetwork& network_;
  Transport* transport_;
  bool rendezvous_;
  std::uint16_t handler_;
  MailPool mail_;
  std::vector<std::vector<Bytes>> payload_;  // by part
  std::uint64_t sent_ = 0;
};

}  // namespace orrery::core
