#include "topology/graph/routing/routes.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"
#include "topology/graph/routing/found_routes.hpp"

namespace orrery::core::routes_test {
namespace {

const LinkProperties cable{Bandwidth::from_gb_per_s(50), Time::from_ns(100)};

// Two hosts below each of two leaves, and `spines` switches above these.
NetworkGraph leaves_and_spines(int spines) {
  NetworkGraph graph;
  for (int host = 0; host < 4; ++host) graph.add({NodeKind::npu, "npu" + std::to_string(host)});
  for (int leaf = 0; leaf < 2; ++leaf)
    graph.add({NodeKind::network_switch, "leaf" + std::to_string(leaf), true});
  for (int host = 0; host < 4; ++host) graph.join(NodeId(host), NodeId(4 + host / 2), cable);
  for (int spine = 0; spine < spines; ++spine) {
    const NodeId id = graph.add({NodeKind::network_switch, "spine" + std::to_string(spine), true});
    graph.join(NodeId(4), id, cable);
    graph.join(NodeId(5), id, cable);
  }
  return graph;
}

std::vector<int> nodes_of_route(Routes& routes, const NetworkGraph& graph, int from, int to,
                                std::uint64_t flow = 0) {
  const std::optional<Route> route = routes.find(NodeId(from), NodeId(to), flow);
  EXPECT_TRUE(route);
  std::vector<int> nodes{from};
  Time latency;
  for (const Route::Part& part : route->parts) {
    EXPECT_EQ(part.share, 1);
    EXPECT_EQ(graph.link(part.link).from, NodeId(nodes.back()));
    nodes.push_back(static_cast<int>(graph.link(part.link).to.value()));
    latency += graph.link(part.link).latency;
  }
  EXPECT_EQ(route->latency, latency);
  return nodes;
}

TEST(Routes, TakeTheFewestLinks) {
  const NetworkGraph graph = leaves_and_spines(1);
  Routes routes(graph);
  EXPECT_EQ(nodes_of_route(routes, graph, 0, 1), (std::vector<int>{0, 4, 1}));
  EXPECT_EQ(nodes_of_route(routes, graph, 0, 3), (std::vector<int>{0, 4, 6, 5, 3}));
  EXPECT_EQ(nodes_of_route(routes, graph, 4, 3), (std::vector<int>{4, 6, 5, 3}));
  EXPECT_EQ(routes.hops(NodeId(0), NodeId(3)), 4u);
  EXPECT_EQ(routes.hops(NodeId(3), NodeId(4)), 3u);
}

TEST(Routes, AHashSpreadsFlowsEvenlyAndKeepsEachOnItsWay) {
  const NetworkGraph graph = leaves_and_spines(3);
  Routes routes(graph, 7), others(graph, 8);
  std::map<int, int> flows;
  int moved = 0;
  for (std::uint64_t flow = 0; flow < 3000; ++flow) {
    const std::vector<int> route = nodes_of_route(routes, graph, 0, 3, flow);
    EXPECT_EQ(route, nodes_of_route(routes, graph, 0, 3, flow));
    moved += route != nodes_of_route(others, graph, 0, 3, flow);
    ++flows[route[2]];
  }
  ASSERT_EQ(flows.size(), 3u);
  for (const auto& [spine, count] : flows) EXPECT_NEAR(count, 1000, 100) << spine;
  EXPECT_NEAR(moved, 2000, 150);
}

TEST(Routes, ParallelLinksAreChosenAmong) {
  NetworkGraph graph;
  graph.add({NodeKind::npu, "a"});
  graph.add({NodeKind::npu, "b"});
  graph.join(NodeId(0), NodeId(1), cable);
  graph.join(NodeId(0), NodeId(1), cable);
  Routes routes(graph);
  std::map<LinkId, int> flows;
  for (std::uint64_t flow = 0; flow < 100; ++flow) {
    const std::optional<Route> route = routes.find(NodeId(0), NodeId(1), flow);
    ASSERT_TRUE(route);
    ++flows[route->parts.at(0).link];
  }
  EXPECT_EQ(flows.size(), 2u);
}

// Two GPUs with three NVLinks to each of two switches.
TEST(Routes, StripedLinksDivideAFlow) {
  LinkProperties nvlink = cable;
  nvlink.striped = true;
  NetworkGraph graph;
  for (const char* name : {"npu0", "npu1"}) graph.add({NodeKind::npu, name});
  for (const char* name : {"a", "b"}) {
    const NodeId hub = graph.add({NodeKind::network_switch, name, true});
    for (const NodeId npu : first_ids<NodeId>(2))
      for (int link = 0; link < 3; ++link) graph.join(npu, hub, nvlink);
  }
  Routes routes(graph);
  const std::optional<Route> route = routes.find(NodeId(0), NodeId(1), 5);
  ASSERT_TRUE(route);
  ASSERT_EQ(route->parts.size(), 12u);
  for (const Route::Part& part : route->parts) EXPECT_DOUBLE_EQ(part.share, 1.0 / 6);
  EXPECT_EQ(route->latency, Time::from_ns(200));
}

TEST(Routes, HostsPassNothingOn) {
  NetworkGraph graph;
  for (const char* name : {"a", "b", "c"}) graph.add({NodeKind::npu, name});
  graph.join(NodeId(0), NodeId(1), cable);
  graph.join(NodeId(1), NodeId(2), cable);
  Routes routes(graph);
  EXPECT_TRUE(routes.find(NodeId(0), NodeId(1), 0));
  EXPECT_FALSE(routes.find(NodeId(0), NodeId(2), 0));
  EXPECT_EQ(routes.hops(NodeId(0), NodeId(2)), Routes::unreachable);
}

TEST(Routes, NodesThatForwardAreWaysToOneAnother) {
  NetworkGraph graph;  // a ring
  constexpr std::uint32_t size = 6;
  for (std::uint32_t node = 0; node < size; ++node)
    graph.add({NodeKind::npu, "npu" + std::to_string(node), true});
  for (std::uint32_t node = 0; node < size; ++node)
    graph.join(NodeId(node), NodeId((node + 1) % size), cable);
  Routes routes(graph);
  for (std::uint32_t from = 0; from < size; ++from)
    for (std::uint32_t to = 0; to < size; ++to) {
      if (from == to) continue;
      EXPECT_EQ(routes.hops(NodeId(from), NodeId(to)),
                std::min((to + size - from) % size, (from + size - to) % size));
    }
}

TEST(Routes, DimensionOrderGoesAlongTheInnermostDimensionFirst) {
  NetworkGraph grid;  // 0 1 / 2 3
  for (int npu = 0; npu < 4; ++npu) grid.add({NodeKind::npu, "npu" + std::to_string(npu), true});
  LinkProperties outer = cable, inner = cable;
  outer.dimension = 2;
  inner.dimension = 1;
  for (const int npu : {0, 1}) grid.join(NodeId(npu), NodeId(npu + 2), outer);
  for (const int npu : {0, 2}) grid.join(NodeId(npu), NodeId(npu + 1), inner);
  Routes routes(grid, 0, &dimension_order_routing), first(grid, 0, &shortest_routing);
  EXPECT_EQ(nodes_of_route(routes, grid, 0, 3), (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(nodes_of_route(routes, grid, 3, 0), (std::vector<int>{3, 2, 0}));
  EXPECT_EQ(nodes_of_route(first, grid, 0, 3), (std::vector<int>{0, 2, 3}));
  EXPECT_EQ(dimension_order_routing.why_not(grid), "");
  EXPECT_NE(dimension_order_routing.why_not(leaves_and_spines(1)), "");
}

TEST(Routes, ListedWaysAreTakenUnlessTheyAreBroken) {
  NetworkGraph graph = leaves_and_spines(2);
  // The message goes by the second spine: npu0 - leaf0 is cable 0, and the spines' cables follow the hosts'
  // four.
  const auto link = [&](int from, int to) {
    for (const LinkId id : graph.links_from(NodeId(from)))
      if (graph.link(id).to == NodeId(to)) return id;
    return LinkId::none;
  };
  graph.list_route(NodeId(0), NodeId(3), {link(0, 4), link(4, 7), link(7, 5), link(5, 3)});
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Routes routes(graph, seed);
    EXPECT_EQ(nodes_of_route(routes, graph, 0, 3), (std::vector<int>{0, 4, 7, 5, 3}));
    routes.set_broken(link(4, 7), true);
    EXPECT_EQ(nodes_of_route(routes, graph, 0, 3), (std::vector<int>{0, 4, 6, 5, 3}));
    EXPECT_TRUE(routes.cut_around(NodeId(0)).empty());
    routes.set_broken(link(4, 6), true);
    EXPECT_FALSE(routes.find(NodeId(0), NodeId(3), 0));
    EXPECT_EQ(routes.cut_around(NodeId(0)), (std::vector<LinkId>{link(4, 6), link(4, 7)}));
  }
}

TEST(Routes, AdaptiveTakesTheLeastBusyWay) {
  const NetworkGraph graph = leaves_and_spines(3);
  Routes routes(graph, 1, &adaptive_routing);
  std::map<NodeId, int> flows;
  for (std::uint64_t flow = 0; flow < 30; ++flow) {
    const Route route = *routes.find(NodeId(0), NodeId(3), flow);
    ++flows[graph.link(route.parts[1].link).to];
    routes.add_backlog(route, 1000);
  }
  EXPECT_EQ(flows, (std::map<NodeId, int>{{NodeId(6), 10}, {NodeId(7), 10}, {NodeId(8), 10}}));
  // The load on the way down counts, too.
  for (const LinkId link : graph.links_to(NodeId(5))) {
    if (graph.link(link).from == NodeId(7)) continue;
    Route down;
    down.parts.push_back({link, 1});
    routes.add_backlog(down, 1e6);
  }
  EXPECT_EQ(graph.link(routes.find(NodeId(0), NodeId(3), 99)->parts[1].link).to, NodeId(7));
}

// The first flows to a destination find their routes by searches of their own, later ones in a table.
TEST(Routes, SinglePairsFindTheWaysThatTablesTell) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    NetworkGraph graph;
    const int nodes = random.between(3, 30);
    for (int node = 0; node < nodes; ++node)
      graph.add({NodeKind::npu, "n" + std::to_string(node), random.chance(70)});
    for (int links = random.between(2, 90); links > 0; --links) {
      const NodeId from(random.between(0, nodes - 1)), to(random.between(0, nodes - 1));
      if (from != to) graph.connect(from, to, cable);
    }
    Routes tables(graph);
    for (const NodeId to : graph.all_nodes())
      for (int warm = 0; warm < 20; ++warm) tables.find(NodeId(to == NodeId(0) ? 1 : 0), to, 0);
    for (const NodeId from : graph.all_nodes()) {
      Routes single(graph);
      for (const NodeId to : graph.all_nodes()) {
        if (from == to) continue;
        const std::optional<Route> told = tables.find(from, to, seed), found = single.find(from, to, seed);
        ASSERT_EQ(told.has_value(), found.has_value())
            << seed << ": " << from.value() << " to " << to.value();
        if (told) {
          ASSERT_EQ(told->parts, found->parts) << seed << ": " << from.value() << " to " << to.value();
        }
      }
    }
  }
}

TEST(FoundRoutes, AreThoseThatWouldBeFound) {
  const NetworkGraph graph = leaves_and_spines(4);
  Routes first(graph, 7), second(graph, 7);
  FoundRoutes found;
  for (int pass = 0; pass < 2; ++pass)
    for (std::uint64_t flow = 0; flow < 20; ++flow)
      EXPECT_EQ(found.find(pass == 0 ? first : second, NodeId(0), NodeId(3), flow)->parts,
                Routes(graph, 7).find(NodeId(0), NodeId(3), flow)->parts);
}

// A routing that looks at loads, or at each message, may find another route the next time.
TEST(FoundRoutes, AreOnlyOfRoutingsThatLookAtNothingElse) {
  EXPECT_TRUE(FoundRoutes::can_remember(ecmp_routing));
  EXPECT_TRUE(FoundRoutes::can_remember(spray_routing));
  EXPECT_FALSE(FoundRoutes::can_remember(adaptive_routing));
  EXPECT_FALSE(FoundRoutes::can_remember(message_spray_routing));
}

}  // namespace
}  // namespace orrery::core::routes_test
