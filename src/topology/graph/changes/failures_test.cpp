#include "topology/graph/changes/failures.hpp"

#include <gtest/gtest.h>

namespace orrery::core::failures_test {
namespace {

// Two cables between "leaf-0" and "spine", and one to an NPU.
NetworkGraph small_graph() {
  NetworkGraph graph;
  graph.add({NodeKind::npu, "npu0"});
  graph.add({NodeKind::network_switch, "leaf-0", true});
  graph.add({NodeKind::network_switch, "spine", true});
  const LinkProperties cable{Bandwidth::from_gb_per_s(1), Time()};
  graph.join(NodeId(0), NodeId(1), cable);  // links 0 and 1
  graph.join(NodeId(1), NodeId(2), cable);  // 2 and 3
  graph.join(NodeId(1), NodeId(2), cable);  // 4 and 5
  return graph;
}

// "link@ns=share ..."
std::string changes_of(const std::string& text) {
  std::string out;
  for (const LinkChange& change : read_failure_file(text, "f", small_graph()).list)
    out += std::to_string(change.link.value()) + "@" + std::to_string(change.at.whole_ns()) + "=" +
           std::to_string(change.share).substr(0, 4) + " ";
  return out;
}

TEST(ReadFailures, ALinkIsAllCablesBothWaysUnlessItSaysOtherwise) {
  EXPECT_EQ(changes_of("{ link: leaf-0-spine }"), "2@0=0.00 3@0=0.00 4@0=0.00 5@0=0.00 ");
  EXPECT_EQ(changes_of("{ link: leaf-0->spine, at: 1 us }"), "2@1000=0.00 4@1000=0.00 ");
  EXPECT_EQ(changes_of("{ link: leaf-0-spine, cables: 1, bandwidth: 25% }"), "2@0=0.25 3@0=0.25 ");
}

TEST(ReadFailures, ANodeIsAllItsLinksAndAnEndBringsThemBack) {
  EXPECT_EQ(changes_of("[ { node: npu0, at: 1 ns, until: 3 ns } ]"), "0@1=0.00 1@1=0.00 0@3=1.00 1@3=1.00 ");
}

TEST(ReadFailures, ALinkAndItsNodeMayFailAtTheSameTime) {
  EXPECT_EQ(changes_of("- { link: npu0->leaf-0, bandwidth: 50%, until: 4 ns }\n"
                       "- { node: leaf-0, at: 1 ns, until: 2 ns, bandwidth: 50% }\n"
                       "- { link: npu0->leaf-0, at: 4 ns, bandwidth: 75% }\n")
                .substr(0, 19),
            "0@0=0.50 0@1=0.25 1");
}

TEST(ReadFailures, NothingIsNoChange) {
  EXPECT_EQ(changes_of("[]"), "");
}

TEST(CheckWholeAtStart, LooksAtWhatIsBrokenFromTheStartOnAlone) {
  const NetworkGraph graph = [] {
    NetworkGraph hub;
    for (const char* name : {"npu0", "npu1"}) hub.add({NodeKind::npu, name});
    const NodeId node = hub.add({NodeKind::network_switch, "hub", true});
    for (const NodeId npu : first_ids<NodeId>(2)) hub.join(npu, node, {Bandwidth::from_gb_per_s(1), Time()});
    return hub;
  }();
  const auto check = [&](const std::string& text) {
    check_whole_at_start(graph, read_failure_file(text, "f", graph));
  };
  EXPECT_THROW(check("{ node: hub }"), InputError);
  EXPECT_THROW(check("{ link: npu0->hub }"), InputError);
  EXPECT_NO_THROW(check("{ node: hub, at: 1 ps }"));
  EXPECT_NO_THROW(check("{ node: hub, bandwidth: 1% }"));
}

}  // namespace
}  // namespace orrery::core::failures_test
