// The routes of messages through a graph, as flows share them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "network/fluid/flow_loop.hpp"
#include "network/graph/graph_routes.hpp"
#include "network/link_history.hpp"
#include "network/link_meter.hpp"

namespace orrery::core {

class FlowRoutes final : public FlowObserver {
 public:
  // Keeps references. `meters` says whether to keep what links carry when.
  FlowRoutes(const GraphRoutes& routes, FlowLoop& flows, bool meters);

  // Adds a route of flows over the links of one of the graph's routes, and returns its number among the
  // flows.
  std::uint32_t add(std::uint32_t route, FlowProgress::Order order);
  // Returns the route of flows that all messages share which go there.
  std::uint32_t shared(std::uint32_t route);
  // Says that the bandwidth of a link has changed.
  void update(LinkId link);

  void flowed(std::uint32_t route, double from_ns, double to_ns, double bytes_per_ns) override;
  LinkHistory history();
  // Returns the bytes that flows still have to send now, by way of the graph.
  std::vector<double> bytes_left() const;

 private:
  std::uint32_t resource_of(const std::vector<LinkId>& links);

  const GraphRoutes& routes_;
  FlowLoop& flows_;
  // By link; none until a route uses it. Links among which all flows are divided alike limit them alike, so
  // one resource stands for all of them, with the share of a flow on each.
  std::vector<std::uint32_t> resource_of_link_;
  std::vector<std::size_t> links_of_;          // how many links a resource stands for
  std::vector<std::uint32_t> shared_routes_;   // by way; none until messages share it
  std::vector<std::uint32_t> route_of_flows_;  // numbers of the graph's routes, by those of the flows
  std::optional<LinkMeter> meter_;
};

}  // namespace orrery::core
