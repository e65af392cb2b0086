// Carries the messages of programs. Sends meet receives by sender, receiver and tag, first in, first out.
#pragma once

#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "base/containers/numbered.hpp"
#include "events/event_loop.hpp"
#include "network/transport.hpp"
#include "program/program.hpp"
#include "simulate/messages/message_carrier.hpp"
#include "topology/rank_parts.hpp"

namespace orrery {

class RankMessages final : public MessageCarrier, public EventHandler {
 public:
  // Keeps references. Ranks of a class send at the same times to ranks that are of one class, too.
  RankMessages(EventLoop& loop, Transport& transport, const Program& program, const RankClasses& classes,
               const RankParts& parts, MessageListener& listener);

  void send(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) override;
  [[nodiscard]] Received receive(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) override;
  void handle(const Event& event) override;

  // Returns the number of messages that all ranks have sent.
  std::uint64_t messages() const { return messages_; }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // receiver, sender, tag
  struct Meeting {
    std::uint32_t arrived = 0;          // messages that nobody waits for yet
    std::deque<std::uint32_t> waiting;  // tokens of receives
  };
  struct InFlight {
    Key key;
    std::uint32_t token;  // token of the send
  };

  // Returns the machine's rank at the same place of another part.
  std::uint32_t counterpart(std::uint32_t rank, std::uint32_t part) const {
    return program_.parts[part].ranks[place_[rank]];
  }

  Transport& transport_;
  const Program& program_;
  const RankClasses& classes_;
  MessageListener& listener_;
  std::uint16_t handler_;
  std::vector<std::uint32_t> place_;  // among the ranks of its part, by simulated rank
  Numbered<InFlight> in_flight_;
  std::map<Key, Meeting> meetings_;
  std::uint64_t messages_ = 0;
};

}  // namespace orrery
