// Tells the listener what becomes of messages, and ends queue pairs.
#pragma once

#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/hosts/nic_scheduler.hpp"
#include "network/packet/packet_message.hpp"
#include "network/packet/queue_pairs/queue_pairs.hpp"

namespace orrery {

class MessageEnds {
 public:
  // Keeps references.
  MessageEnds(const PacketSettings& settings, PacketLinks& links, QueuePairs& pairs, NicScheduler& turns,
              PacketListener& listener)
      : settings_(settings), links_(links), pairs_(pairs), turns_(turns), listener_(listener) {}
  // Keeps a reference. The control is told of queue pairs that end.
  void set_control(CongestionControl& control) { control_ = &control; }

  // The receiver of a queue pair has got more bytes in order.
  void deliver(QueuePair& pair) {
    while (const QueuePair::Message* const message = pair.take_delivered())
      if (!settings_.ends_when_acknowledged) listener_.delivered(message->number, links_.now());
  }
  // The sender of a queue pair knows of more bytes that they have arrived. The queue pair ends if all have.
  void acknowledge(QueuePair& pair) {
    tell_acknowledged(pair);
    if (pair.is_finished()) end(pair);
  }
  // No route leads to the destination of a message that is to begin, or none back.
  void cut_off(const PacketMessage& message) const {
    listener_.cut({message.number, message.source, message.destination, message.channel, message.bytes},
                  links_.now());
  }
  // No route is left for a queue pair, or none back. It ends.
  void cut_off(QueuePair& pair);

 private:
  void tell_acknowledged(QueuePair& pair);
  void end(QueuePair& pair);

  const PacketSettings& settings_;
  const PacketLinks& links_;
  QueuePairs& pairs_;
  NicScheduler& turns_;
  PacketListener& listener_;
  CongestionControl* control_ = nullptr;  // null: none
};

}  // namespace orrery
