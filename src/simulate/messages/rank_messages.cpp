#include "simulate/messages/rank_messages.hpp"

#include <algorithm>

namespace orrery {

RankMessages::RankMessages(EventLoop& loop, Transport& transport, const Program& program,
                           const RankClasses& classes, const RankParts& parts, MessageListener& listener)
    : transport_(transport),
      program_(program),
      classes_(classes),
      listener_(listener),
      handler_(loop.add_handler(*this)) {
  for (std::uint32_t number = 0; number < classes.count(); ++number) {
    const std::vector<std::uint32_t>& ranks = program.parts[parts.of(number)].ranks;
    const auto found = std::ranges::lower_bound(ranks, classes.representative(number));
    place_.push_back(static_cast<std::uint32_t>(found - ranks.begin()));
  }
}

void RankMessages::send(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) {
  const std::uint32_t destination = counterpart(rank, message.peer);
  const std::uint32_t number =
      in_flight_.keep({Key(classes_.class_of(destination), rank, message.tag), token});
  messages_ += classes_.size(rank);
  transport_.send_on({.number = message.connection}, static_cast<int>(classes_.representative(rank)),
                     static_cast<int>(destination), message.size, Event{handler_, 0, rank, number, 0});
}

Received RankMessages::receive(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) {
  const Key key(rank, classes_.class_of(counterpart(rank, message.peer)), message.tag);
  Meeting& meeting = meetings_[key];
  if (meeting.arrived == 0) {
    meeting.waiting.push_back(token);
    return Received::later;
  }
  if (--meeting.arrived == 0) meetings_.erase(key);
  return Received::already;
}

void RankMessages::handle(const Event& event) {
  const InFlight message = in_flight_.take(event.object);
  const auto& [receiver, sender, tag] = message.key;
  Meeting& meeting = meetings_[message.key];
  if (meeting.waiting.empty()) {
    ++meeting.arrived;
    listener_.message_completed(sender, message.token);
    return;
  }
  const std::uint32_t token = meeting.waiting.front();
  meeting.waiting.pop_front();
  if (meeting.waiting.empty()) meetings_.erase(message.key);
  listener_.message_completed(sender, message.token);
  listener_.message_completed(receiver, token);
}

}  // namespace orrery
