// Flows that share the network with messages that are nothing to them.
#pragma once

#include <memory>

#include "network/flows/flow_source.hpp"

namespace orrery {

// Carries messages by another transport, over which it sends the flows, too.
class Background final : public Transport {
 public:
  Background(std::shared_ptr<const std::vector<Flow>> flows, std::unique_ptr<Transport> carrier,
             EventLoop& loop)
      : flows_(std::move(flows)), carrier_(std::move(carrier)), source_(*flows_, loop, *carrier_) {}

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    carrier_->send(source, destination, bytes, delivered);
  }
  void send_on(Channel channel, int source, int destination, Bytes bytes, const Event& delivered) override {
    carrier_->send_on(channel, source, destination, bytes, delivered);
  }
  void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered) override {
    carrier_->send_with(service, source, destination, bytes, delivered);
  }
  bool acknowledges() const override { return carrier_->acknowledges(); }
  std::string stall() const override { return carrier_->stall(); }
  Time lead(Channel channel, int source, int destination, std::vector<std::uint32_t> through) override {
    return carrier_->lead(channel, source, destination, std::move(through));
  }
  bool has_events_of_its_own() const override { return true; }
  std::vector<LinkUse> links(Time now) const override { return carrier_->links(now); }
  LinkHistory link_history() const override { return carrier_->link_history(); }

 private:
  std::shared_ptr<const std::vector<Flow>> flows_;
  std::unique_ptr<Transport> carrier_;
  FlowSource source_;
};

}  // namespace orrery
