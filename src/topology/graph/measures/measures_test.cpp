// Diameter, bisection, levels and cuts of networks for which formulas are known.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "base/random.hpp"
#include "support/built_network.hpp"
#include "topology/graph/measures/bisection.hpp"
#include "topology/graph/measures/diameter.hpp"
#include "topology/graph/measures/graph_levels.hpp"
#include "topology/graph/measures/planes.hpp"
#include "topology/graph/measures/reachability.hpp"
#include "topology/graph/measures/shifts.hpp"

namespace orrery::core::test::measures_test {
namespace {

const std::string link_map = "link: { bandwidth: 10 GB/s, latency: 1 us }";

double bisection(const std::string& text) {
  return bisection_bandwidth(built(text).graph).bytes_per_ns();
}

void expect_diameter(const NetworkGraph& graph, std::int64_t hops, std::int64_t us) {
  const Diameter in_hops = find_diameter(graph, Weight::hops),
                 in_time = find_diameter(graph, Weight::latency);
  EXPECT_EQ(in_hops.at_least, hops);
  EXPECT_EQ(in_hops.at_most, hops);
  EXPECT_EQ(in_time.at_least, us * 1'000'000);
  EXPECT_EQ(in_time.at_most, us * 1'000'000);
}

TEST(Bisection, OfRingMeshAndTorus) {
  EXPECT_EQ(bisection("build: ring\nsize: 8\n" + link_map), 2 * 10);
  // The outermost dimension is cut, twice if it wraps.
  EXPECT_EQ(bisection("build: torus\ndimensions: [ { size: 4 }, { size: 4 }, { size: 6 } ]\n" + link_map),
            2 * 16 * 10);
  EXPECT_EQ(bisection("build: mesh\ndimensions: [ { size: 4 }, { size: 6 } ]\n" + link_map), 4 * 10);
}

TEST(Bisection, OfFullyConnectedAndSwitch) {
  EXPECT_EQ(bisection("build: fully-connected\nsize: 8\n" + link_map), 4 * 4 * 10);
  EXPECT_EQ(bisection("build: switch\nsize: 8\n" + link_map), 4 * 10);
  EXPECT_EQ(bisection("build: switch\nsize: 9\n" + link_map), 4 * 10);
}

TEST(Bisection, OfFatTreesIsInjectionByAllOversubscription) {
  for (const int leaf : {1, 2, 4})
    for (const int spine : {1, 2}) {
      const std::string text = fmt::format(
          "build: fat-tree\nlevels: [ {{ size: 8 }}, {{ size: 4, oversubscription: {} }}, {{ size: 6, "
          "oversubscription: {} }} ]\n{}",
          leaf, spine, link_map);
      EXPECT_EQ(injection_bandwidth(built(text).graph).bytes_per_ns(), 8 * 4 * 3 * 10);
      EXPECT_EQ(bisection(text), 8.0 * 4 * 3 * 10 / (leaf * spine)) << text;
    }
}

// Sums of these bandwidths are more than 64 bits hold in bytes per second, which once let the search for
// routes go on for ever.
TEST(Bisection, OfLinksOfAnyBandwidth) {
  for (const char* bandwidth : {"1e9 GB/s", "3e11 GB/s", "1e12 GB/s", "1e-12 GB/s"}) {
    const std::string links = fmt::format("link: {{ bandwidth: {}, latency: 1 us }}\n", bandwidth);
    const double of_all = 128 * std::stod(bandwidth);
    const NetworkGraph graph =
        built("build: fat-tree\nlevels: [ { size: 16 }, { size: 16 } ]\n" + links).graph;
    EXPECT_NEAR(bisection_bandwidth(graph).bytes_per_ns(), of_all, 1e-9 * of_all) << bandwidth;
    EXPECT_NEAR(injection_bandwidth(graph).bytes_per_ns(), of_all, 1e-9 * of_all) << bandwidth;
  }
  const std::string mixed =
      "nodes: [ { name: a, kind: npu }, { name: b, kind: npu }, { name: s, kind: switch } ]\nlinks:\n"
      "  - { from: a, to: s, bandwidth: 1e12 GB/s, latency: 0 ns }\n"
      "  - { from: s, to: b, bandwidth: 1 GB/s, latency: 0 ns }\n";
  EXPECT_NEAR(bisection(mixed), 1, 1e-5);
}

TEST(Bisection, OfLinksOneWayIsThatOfTheWeakerDirection) {
  const std::string nodes = "nodes: [ { name: a, kind: npu }, { name: b, kind: npu } ]\nlinks:\n";
  EXPECT_EQ(bisection(nodes + "  - { from: a, to: b, one-way: true, bandwidth: 30 GB/s, latency: 0 ns }\n"
                              "  - { from: b, to: a, one-way: true, bandwidth: 20 GB/s, latency: 0 ns }\n"),
            20);
}

TEST(Diameter, OfKnownNetworks) {
  expect_diameter(built("build: ring\nsize: 9\n" + link_map).graph, 4, 4);
  expect_diameter(
      built("build: torus\ndimensions: [ { size: 4 }, { size: 5 }, { size: 6 } ]\n" + link_map).graph,
      2 + 2 + 3, 2 + 2 + 3);
  expect_diameter(built("build: mesh\ndimensions: [ { size: 4 }, { size: 5 } ]\n" + link_map).graph, 3 + 4,
                  3 + 4);
  expect_diameter(
      built("build: fat-tree\nlevels: [ { size: 4 }, { size: 4 }, { size: 8 } ]\n" + link_map).graph, 6, 6);
  expect_diameter(built("build: ring\nsize: 1\n" + link_map).graph, 0, 0);
}

// The bounds by pivots change nothing: searches from all NPUs find the same.
TEST(Shifts, LeadNpusOfSymmetricNetworksToOneAnother) {
  const auto places = [](const std::string& text) {
    std::vector<NodeId> all = places_by_shifts(built(text + link_map).graph);
    std::ranges::sort(all);
    return std::unique(all.begin(), all.end()) - all.begin();
  };
  EXPECT_EQ(places("build: ring\nsize: 10\n"), 1);
  EXPECT_EQ(places("build: fully-connected\nsize: 12\n"), 1);
  EXPECT_EQ(places("build: torus\ndimensions: [ { size: 4 }, { size: 3 }, { size: 6 } ]\n"), 1);
  EXPECT_EQ(places("build: mesh\ndimensions: [ { size: 5 } ]\n"), 5);
  NetworkGraph one_slow_link;
  for (int npu = 0; npu < 6; ++npu) one_slow_link.add({NodeKind::npu, "npu" + std::to_string(npu), true});
  for (int npu = 0; npu < 6; ++npu)
    one_slow_link.join(NodeId(npu), NodeId((npu + 1) % 6),
                       {Bandwidth::from_gb_per_s(10), Time::from_ns(npu == 2 ? 9 : 1)});
  EXPECT_NE(places_by_shifts(one_slow_link)[1], places_by_shifts(one_slow_link)[0]);
}

// Each NPU of a ring is as far from others as the next, so one search is enough; once each had its own.
TEST(Diameter, OfALongRingTakesOneSearch) {
  expect_diameter(built("build: ring\nsize: 10000\n" + link_map).graph, 5000, 5000);
  expect_diameter(built("build: torus\ndimensions: [ { size: 100 }, { size: 100 } ]\n" + link_map).graph, 100,
                  100);
}

TEST(Diameter, OfRandomNetworksIsTheLargestDistance) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    NetworkGraph graph;
    const int npus = random.between(2, 13), hubs = random.between(1, 6);
    for (int npu = 0; npu < npus; ++npu) graph.add({NodeKind::npu, "npu", random.chance(33)});
    for (int hub = 0; hub < hubs; ++hub) graph.add({NodeKind::network_switch, "hub", true});
    const auto below = [&](int end) { return random.between(0, end - 1); };
    const auto link = [&] {
      return LinkProperties{Bandwidth::from_gb_per_s(1), Time::from_ns(random.between(0, 3))};
    };
    for (int hub = 1; hub < hubs; ++hub) graph.join(NodeId(npus + hub), NodeId(npus + below(hub)), link());
    for (int npu = 0; npu < npus; ++npu) graph.join(NodeId(npu), NodeId(npus + below(hubs)), link());
    for (int extra = 0; extra < 4; ++extra) {
      const NodeId a(below(npus + hubs)), b(below(npus));
      if (a == b) continue;
      seed % 2 == 0 ? void(graph.join(a, b, link())) : void(graph.connect(a, b, link()));
    }
    for (const Weight weight : {Weight::hops, Weight::latency}) {
      GraphSearch search(graph, weight);
      std::int64_t largest = 0;
      for (const NodeId npu : graph.all_npus()) {
        const std::vector<std::int64_t>& distances = search.distances(npu);
        largest = std::max(largest, *std::max_element(distances.begin(), distances.begin() + npus));
      }
      const Diameter found = find_diameter(graph, weight);
      EXPECT_EQ(found.at_least, largest) << seed;
      EXPECT_EQ(found.at_most, largest) << seed;
    }
  }
}

// NVLink leads to no other box, and a NIC passes on no more than its cable.
TEST(Bisection, OfBoxesCountsWhatTheyCanSendIntoTheNetworkBetweenThem) {
  for (const int boxes : {2, 3, 4}) {
    const BuiltNetwork network = built(fmt::format(
        "{{ build: rail-optimized, levels: [ {{ size: {} }}, {{ size: 2, oversubscription: 2 }} ], link: {{ "
        "bandwidth: 50 GB/s, latency: 0 ns }}, inside: {{ build: nvlink, size: 4, switches: 2, links: 18, "
        "link: {{ bandwidth: 25 GB/s, latency: 0 ns }}, nics: {{ count: 4, link: {{ bandwidth: 64 GB/s, "
        "latency: 0 ns }} }} }} }}",
        2 * boxes));
    const NetworkGraph& graph = network.graph;
    const std::vector<bool> between = links_between_groups(graph, network.groups.front());
    const auto npus = static_cast<double>(graph.npus());
    EXPECT_EQ(injection_bandwidth(graph).bytes_per_ns(), npus / 2 * (18 * 25 + 64)) << boxes;
    EXPECT_EQ(bandwidth_into_network(graph, between).bytes_per_ns(), npus / 2 * 50) << boxes;
    EXPECT_EQ(bisection_bandwidth(graph, between).bytes_per_ns(), npus / 2 * 25) << boxes;
  }
}

// NPUs pass on messages from rail to rail, which makes no NVLink a route out of a box.
TEST(Bisection, OfRailsThatNothingJoinsCountsTheirNics) {
  for (const auto& [form, levels, up] :
       {std::tuple{"rail-optimized", "{ size: 4 }", 50}, std::tuple{"rail-only", "{ size: 4 }", 50},
        std::tuple{"rail-only", "{ size: 4 }, { size: 2, oversubscription: 2 }", 25}}) {
    const BuiltNetwork network = built(fmt::format(
        "{{ build: {}, levels: [ {} ], link: {{ bandwidth: 50 GB/s, latency: 0 ns }}, inside: {{ build: "
        "nvlink, "
        "size: 4, switches: 2, links: 18, link: {{ bandwidth: 25 GB/s, latency: 0 ns }}, nics: {{ count: 4, "
        "link: {{ bandwidth: 64 GB/s, latency: 0 ns }} }} }} }}",
        form, levels));
    const NetworkGraph& graph = network.graph;
    const std::vector<bool> between = links_between_groups(graph, network.groups.front());
    const auto npus = static_cast<double>(graph.npus());
    EXPECT_EQ(bandwidth_into_network(graph, between).bytes_per_ns(), npus / 2 * 50) << form;
    EXPECT_EQ(bisection_bandwidth(graph, between).bytes_per_ns(), npus / 2 * up) << form;
  }
}

TEST(Bisection, WithoutBoxesAllLinksLeadIntoTheNetwork) {
  for (const char* text : {"{ build: fat-tree, levels: [ { size: 4 }, { size: 4 } ], ",
                           "{ build: torus, dimensions: [ { size: 4 }, { size: 4 } ], "}) {
    const BuiltNetwork network = built(text + link_map + " }");
    EXPECT_TRUE(links_between_groups(network.graph, network.groups.front()).empty());
    EXPECT_EQ(bandwidth_into_network(network.graph).bytes_per_ns(),
              injection_bandwidth(network.graph).bytes_per_ns());
  }
}

TEST(GraphLevels, SwitchesInsideABoxAreNoWayUp) {
  const BuiltNetwork network = built(
      "{ build: fat-tree, levels: [ { size: 4 }, { size: 2, oversubscription: 2 } ], link: { bandwidth: 10 "
      "GB/s, latency: 1 us }, inside: { build: switch, size: 2, link: { bandwidth: 100 GB/s, latency: 0 ns } "
      "} }");
  const std::vector<LevelLinks> levels = links_of_levels(network.graph);
  ASSERT_EQ(levels.size(), 1U);
  EXPECT_EQ(levels[0].level, 1);
  EXPECT_EQ(levels[0].nodes, 2U);
  EXPECT_EQ(levels[0].down, 160);
  EXPECT_EQ(levels[0].oversubscription(), 2);
}

TEST(Reachability, NamesWhoDoesNotReachWhom) {
  const std::string nodes =
      "nodes: [ { name: gpu, kind: npu, count: 6 }, { name: leaf, kind: switch, count: 2 } ]\nlinks:\n"
      "  - { from: gpu, to: leaf, pattern: blocks, bandwidth: 10 GB/s, latency: 0 ns }\n";
  const NetworkGraph apart = built(nodes).graph;
  const std::vector<NetworkCut> cuts = find_cuts(apart);
  ASSERT_EQ(cuts.size(), 2U);
  EXPECT_EQ(names_of_nodes(apart, cuts[0].from), "gpu0 to gpu2");
  EXPECT_EQ(names_of_nodes(apart, cuts[0].to), "gpu3 to gpu5");
  EXPECT_EQ(names_of_nodes(apart, cuts[1].to), "gpu0 to gpu2");

  const NetworkGraph one_way =
      built(nodes + "  - { from: leaf0, to: leaf1, one-way: true, bandwidth: 10 GB/s, latency: 0 ns }\n")
          .graph;
  const std::vector<NetworkCut> back = find_cuts(one_way);
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(names_of_nodes(one_way, back[0].from), "gpu3 to gpu5");
  EXPECT_EQ(names_of_nodes(one_way, {NodeId(0), NodeId(2), NodeId(4)}), "gpu0, gpu2, gpu4");
}

// Messages do not pass an NPU that forwards nothing, so two switches that share it alone are apart.
TEST(Reachability, IsNotPassedOnByNpus) {
  const std::string text =
      "nodes: [ { name: gpu, kind: npu, count: 3 }, { name: leaf, kind: switch, count: 2 } ]\nlinks:\n"
      "  - { from: 'gpu[0-1]', to: leaf0, bandwidth: 10 GB/s, latency: 0 ns }\n"
      "  - { from: 'gpu[1-2]', to: leaf1, bandwidth: 10 GB/s, latency: 0 ns }\n";
  const std::vector<NetworkCut> cuts = find_cuts(built(text).graph);
  ASSERT_EQ(cuts.size(), 2U);
  EXPECT_EQ(cuts[0].from, std::vector<NodeId>{NodeId(0)});
  EXPECT_EQ(cuts[0].to, std::vector<NodeId>{NodeId(2)});
}

}  // namespace
}  // namespace orrery::core::test::measures_test
