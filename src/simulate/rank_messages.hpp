// Messages between simulated ranks: sends meet receives by sender, receiver and tag, first in, first out.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "events/event_loop.hpp"
#include "network/transport.hpp"
#include "simulate/message_carrier.hpp"

namespace orrery {

class RankMessages final : public MessageCarrier, public EventHandler {
 public:
  // Keeps references. `ranks`: the machine's rank that each simulated one stands for.
  RankMessages(EventLoop& loop, Transport& transport, std::vector<std::uint32_t> ranks,
               MessageListener& listener);

  void send(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) override;
  bool receive(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) override;
  void handle(const Event& event) override;

  std::uint64_t messages() const { return messages_; }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // receiver, sender, tag
  struct Meeting {
    std::uint32_t arrived = 0;          // that nobody waits for
    std::deque<std::uint32_t> waiting;  // tokens of receives
  };
  struct InFlight {
    Key key;
    std::uint32_t token;  // of the send
  };

  Transport& transport_;
  const std::vector<std::uint32_t> ranks_;
  MessageListener& listener_;
  std::uint16_t handler_;
  std::vector<InFlight> in_flight_;
  std::vector<std::uint32_t> free_;  // entries of in_flight_
  std::map<Key, Meeting> meetings_;
  std::uint64_t messages_ = 0;
};

}  // namespace orrery
