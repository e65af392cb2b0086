// Flows that share the network with messages but have nothing else to do with them.
#pragma once

#include <memory>

#include "network/carried_transport.hpp"
#include "network/flows/flow_source.hpp"

namespace orrery {

// Carries messages by another transport, over which it sends the flows, too.
class Background final : public CarriedTransport {
 public:
  Background(std::shared_ptr<const std::vector<Flow>> flows, std::unique_ptr<Transport> carrier,
             EventLoop& loop)
      : CarriedTransport(std::move(carrier)),
        flows_(std::move(flows)),
        source_(*flows_, loop, this->carrier()) {}

  bool has_events_of_its_own() const override { return true; }

 private:
  std::shared_ptr<const std::vector<Flow>> flows_;
  FlowSource source_;
};

}  // namespace orrery
