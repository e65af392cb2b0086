// Messages that all NPUs send at once share links as flows do (graph_flows.hpp), and are symmetric. NPU 0
// sends them on behalf of all.
#pragma once

#include <map>
#include <memory>

#include "network/fluid/flow_loop.hpp"
#include "network/folding/symmetric_routes.hpp"
#include "network/transport.hpp"

namespace orrery::core {

class FoldedFlows final : public Transport {
 public:
  // Keeps a reference to the loop.
  FoldedFlows(std::shared_ptr<const SymmetricRoutes> routes, EventLoop& loop);

  // The source has to be NPU 0, and a route has to lead to the destination.
  void send(int source, int destination, Bytes bytes, const Event& delivered) override;
  // A message counts when it is sent.
  std::vector<LinkUse> links(Time now) const override;

 private:
  struct Route {
    std::uint32_t flows;  // number among the routes of flows_
    const SymmetricRoutes::Route* route;
    LinkLoad load;  // load of NPU 0
  };

  std::shared_ptr<const SymmetricRoutes> folded_;
  FlowLoop flows_;
  std::map<int, Route> routes_;  // by destination
};

}  // namespace orrery::core
