// A transport that hands messages to another transport.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/transport.hpp"

namespace orrery::core {

// Hands everything on to the transport that carries it. Classes that derive from it say what is different.
class CarriedTransport : public Transport {
 public:
  void send(int source, int destination, Bytes bytes, const Event& delivered) final {
    send_on({}, source, destination, bytes, delivered);
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) final {
    send_with({.channel = channel}, source, destination, bytes, delivered);
  }
  void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered) override {
    carrier_->send_with(service, source, destination, bytes, delivered);
  }
  bool acknowledges() const override { return carrier_->acknowledges(); }
  std::vector<std::string> stall() const override { return carrier_->stall(); }
  Time lead(Channel channel, int source, int destination, std::vector<NodeId> through) override {
    return carrier_->lead(channel, source, destination, std::move(through));
  }
  void count(int source, int destination, Bytes bytes, std::uint64_t messages) override {
    carrier_->count(source, destination, bytes, messages);
  }
  bool has_events_of_its_own() const override { return carrier_->has_events_of_its_own(); }
  std::string shortcuts() const override { return carrier_->shortcuts(); }
  std::vector<LinkUse> links(Time now) const override { return carrier_->links(now); }
  LinkHistory link_history() override { return carrier_->link_history(); }
  std::vector<SwitchUse> switches() const override { return carrier_->switches(); }
  std::vector<MessageClass> message_times() const override { return carrier_->message_times(); }
  std::vector<PacketLatencies> latencies() const override { return carrier_->latencies(); }

 protected:
  explicit CarriedTransport(std::unique_ptr<Transport> carrier) : carrier_(std::move(carrier)) {}

  Transport& carrier() { return *carrier_; }
  const Transport& carrier() const { return *carrier_; }

 private:
  std::unique_ptr<Transport> carrier_;
};

}  // namespace orrery::core
