#include "network/packet/hosts/message_ends.hpp"

#include <algorithm>

namespace orrery {

void MessageEnds::tell_acknowledged(QueuePair& pair) {
  while (const QueuePair::Message* const message = pair.take_acknowledged()) {
    if (settings_.ends_when_acknowledged) listener_.delivered(message->number, links_.now());
    listener_.acknowledged({message->number, pair.sender.number, pair.bytes_of(*message), message->resent},
                           links_.now());
  }
}

void MessageEnds::end(QueuePair& pair) {
  pair.ended = true;
  pairs_.add_load(pair, -static_cast<double>(pair.size));
  if (control_) control_->end(pair.sender);
}

// Messages that have arrived count as acknowledged, as no acknowledgement may come any more. What has not
// arrived in order is the rest of the others.
void MessageEnds::cut_off(QueuePair& pair) {
  Sender& sender = pair.sender;
  if (pair.delivered > 0)
    sender.acknowledged = std::max(sender.acknowledged, pair.messages[pair.delivered - 1].end);
  tell_acknowledged(pair);
  std::uint64_t first = std::max(pair.expected, sender.acknowledged);
  for (std::size_t i = pair.delivered; i < pair.messages.size(); ++i) {
    const QueuePair::Message& message = pair.messages[i];
    listener_.cut({message.number, pair.source, pair.destination, pair.channel, message.end - first},
                  links_.now());
    first = message.end;
  }
  pair.give_up();
  turns_.unlist(pair, pair.port);
  pair.listed = false;
  end(pair);
  pairs_.release(pair);
}

}  // namespace orrery
