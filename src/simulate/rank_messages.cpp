#include "simulate/rank_messages.hpp"

namespace orrery {

RankMessages::RankMessages(EventLoop& loop, Transport& transport, std::vector<std::uint32_t> ranks,
                           MessageListener& listener)
    : transport_(transport),
      ranks_(std::move(ranks)),
      listener_(listener),
      handler_(loop.add_handler(*this)) {}

void RankMessages::send(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(in_flight_.size()));
    in_flight_.emplace_back();
  }
  const std::uint32_t entry = free_.back();
  free_.pop_back();
  in_flight_[entry] = {Key(message.peer, rank, message.tag), token};
  ++messages_;
  transport_.send(static_cast<int>(ranks_[rank]), static_cast<int>(ranks_[message.peer]), message.size,
                  Event{handler_, 0, rank, entry, 0});
}

bool RankMessages::receive(std::uint32_t rank, std::uint32_t token, const MessageEnd& message) {
  const Key key(rank, message.peer, message.tag);
  Meeting& meeting = meetings_[key];
  if (meeting.arrived == 0) {
    meeting.waiting.push_back(token);
    return false;
  }
  if (--meeting.arrived == 0) meetings_.erase(key);
  return true;
}

void RankMessages::handle(const Event& event) {
  const InFlight message = in_flight_[event.object];
  free_.push_back(event.object);
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
