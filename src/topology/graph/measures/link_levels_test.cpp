#include "topology/graph/measures/link_levels.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "topology/files/any_network.hpp"

namespace orrery::core::link_levels_test {
namespace {

std::set<std::string> levels_in(const std::string& network) {
  Warnings warnings;
  const Topology topology = read_any_network(network, "net.yaml", warnings);
  const LinkLevels levels(topology);
  std::set<std::string> found;
  for (const LinkId id : topology.graph->all_links()) {
    found.insert(levels.name_of(id));
    EXPECT_EQ(levels.name_of(id), levels.name_of(topology.graph->reverse(id))) << id.value();
  }
  return found;
}

using Names = std::set<std::string>;

TEST(LinkLevels, AreCalledAfterTheNodesThatLinksJoin) {
  EXPECT_EQ(levels_in(R"(
build: rail-optimized
inside:
  build: nvlink
  size: 8
  switches: 4
  links: 18
  link: { bandwidth: 25 GB/s, latency: 100 ns }
  nics: { count: 8, link: { bandwidth: 64 GB/s, latency: 500 ns } }
link: { bandwidth: 50 GB/s, latency: 500 ns }
levels: [ { size: 4 }, { size: 2 } ]
)"),
            (Names{"leaf-spine", "nic-leaf", "npu-nic", "npu-nvswitch"}));
}

// Nodes of one name are at two distances from NPUs, and others have no name in common.
TEST(LinkLevels, AreCalledAfterKindsWhereNamesDoNotTell) {
  const std::string link = "bandwidth: 1 GB/s, latency: 1 us }";
  EXPECT_EQ(
      levels_in(
          "nodes: [ { name: a, kind: npu }, { name: b, kind: npu }, { name: s, kind: switch, count: 3 } ]\n"
          "links:\n  - { from: a, to: s0, " +
          link + "\n  - { from: b, to: s1, " + link + "\n  - { from: [s0, s1], to: s2, " + link),
      (Names{"npu-switch 1", "switch 1-switch 2"}));
}

TEST(LinkLevels, OfGridsAreDimensions) {
  const std::string torus =
      "build: torus\ndimensions: [ { size: 4 }, { size: 3 } ]\nlink: { bandwidth: 1 GB/s, latency: 1 us }\n";
  EXPECT_EQ(levels_in(torus), (Names{"dim0", "dim1"}));
  EXPECT_EQ(
      levels_in(torus +
                "inside: { build: fully-connected, size: 2, link: { bandwidth: 1 GB/s, latency: 1 us } }\n"),
      (Names{"grid 1", "grid 2", "npu-npu"}));
}

}  // namespace
}  // namespace orrery::core::link_levels_test
