// Carries messages over a network of packets. The network runs ahead of the event loop until the loop's next
// event, or until a message arrives.
#pragma once

#include <vector>

#include "base/containers/numbered.hpp"
#include "events/event_loop.hpp"
#include "network/graph/cut_messages.hpp"
#include "network/packet/engine/packet_history.hpp"
#include "network/packet/engine/packet_network.hpp"

namespace orrery::core {

class PacketTransport final : public Transport, public EventHandler, private PacketListener {
 public:
  // Keeps references. The topology has a graph.
  PacketTransport(const Topology& topology, std::shared_ptr<const PacketSettings> settings, EventLoop& loop);
  // These functions must be called before anything is sent.
  void keep_history();
  void keep_message_times() { times_.emplace(); }
  void add_log(std::shared_ptr<PacketLog> log);
  // Keeps a reference. What is left of messages that no route leads to any more is offered to it.
  void give_cut_messages_to(CutMessages& taker) { taker_ = &taker; }

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    send_on({}, source, destination, bytes, delivered);
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) override {
    send_with({.channel = channel}, source, destination, bytes, delivered);
  }
  void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered) override;
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) override {
    return network_.lead(channel, source, destination, std::move(through));
  }
  bool acknowledges() const override { return true; }
  bool has_events_of_its_own() const override { return true; }
  std::vector<LinkUse> links(Time now) const override;
  std::vector<SwitchUse> switches() const override;
  std::vector<MessageClass> message_times() const override {
    return times_ ? times_->classes() : std::vector<MessageClass>();
  }
  LinkHistory link_history() override { return history_ ? history_->history(network_) : LinkHistory(); }
  std::vector<std::string> stall() const override { return network_.stall(); }

  PacketNetwork& network() { return network_; }

  void handle(const Event& event) override;

 private:
  enum What : std::uint16_t { wakes, gives_away, taken_has_arrived };
  struct Message {
    Event delivered;
    std::optional<Event> acknowledged;
    std::uint32_t undelivered, unacknowledged;  // numbers of stripes
    MessageFacts* facts;                        // null: the sender does not ask for them
    Bytes bytes;
    std::optional<int> priority;  // as its sender asks for it
    Stamp start;
    bool is_cut = false;  // parts of it go other ways than the network's, so that there are no facts about it
    // The following members are used where times are kept.
    Stamp end = 0;
    MessageFacts own_facts = {};
  };

  void delivered(std::uint32_t message, Stamp at) override;
  void works() override { loop_.report(); }
  void acknowledged(const AcknowledgedMessage& message, Stamp at) override;
  void cut(const RestOfMessage& rest, Stamp at) override;
  void end_stripe(std::uint32_t message, Stamp at);
  // Gives away what is left of a stripe. Throws InputError where nobody takes it.
  void give_away(const RestOfMessage& rest);
  void wake(const Event& event);
  void tell(MessageFacts& facts, const AcknowledgedMessage& message);
  void keep_time(const Message& message);
  // Makes the loop wake the network for its next event.
  void plan();
  // Makes the network run up to `limit`, or to a stop. Logs look at it when their times have come.
  void run(Stamp limit);
  Stamp next_look() const;
  void look(Stamp at);

  std::shared_ptr<const PacketSettings> settings_;
  EventLoop& loop_;
  std::uint16_t handler_;
  PacketNetwork network_;
  std::span<const LinkChange> changes_;
  CutMessages* taker_ = nullptr;
  Numbered<Message> messages_;
  Numbered<RestOfMessage> cut_;        // that are to be given away
  std::optional<MessageTimes> times_;  // none: they are not kept
  std::vector<std::shared_ptr<PacketLog>> logs_;
  std::shared_ptr<PacketHistory> history_;  // one of the logs; null: no history is kept
  Stamp wakes_at_ = PacketEvents::never;
  std::uint32_t wake_ = 0;  // number of the last event that was asked for
};

}  // namespace orrery::core
