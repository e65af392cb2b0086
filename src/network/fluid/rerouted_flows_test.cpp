#include "network/fluid/rerouted_flows.hpp"

#include <gtest/gtest.h>

#include "network/flows/run_flows.hpp"
#include "support/two_ways.hpp"
#include "topology/graph/changes/failures.hpp"

namespace orrery::core::rerouted_flows_test {
namespace {

using test::two_ways;

Flow flow_of(std::uint64_t bytes, std::optional<std::uint32_t> channel = {}) {
  Flow flow;
  flow.destination = 1;
  flow.bytes = Bytes(bytes);
  flow.channel = channel;
  return flow;
}

FlowsResult run(Topology topology, const std::vector<Flow>& flows, const std::string& failures = "") {
  if (!failures.empty())
    topology.link_changes =
        std::make_shared<LinkChanges>(read_failure_file(failures, "failures.yaml", *topology.graph));
  return run_flows(flows, topology, {.model = &fluid_model});
}

Topology routed(Routing routing) {
  Topology topology = two_ways();
  topology.routing = routing;
  return topology;
}

std::vector<double> ends(const FlowsResult& result) {
  std::vector<double> ends;
  for (const FlowTimes& flow : result.flows) ends.push_back(flow.end.ns());
  return ends;
}

using Ends = std::vector<double>;

TEST(Failures, AFlowKeepsItsBytesWhenItGoesAnotherWay) {
  // Whichever route it takes, the switch on it breaks when half of the bytes have left.
  const std::string a = "{ node: a, at: 500 ns }", b = "{ node: b, at: 500 ns }";
  EXPECT_EQ(ends(run(two_ways(), {flow_of(1000)}, a)), Ends{1200});
  const FlowsResult moved = run(routed(&shortest_routing), {flow_of(1000)}, a);
  EXPECT_EQ(ends(moved), Ends{1200});
  ASSERT_EQ(moved.links.size(), 4u);
  for (const LinkUse& link : moved.links) EXPECT_EQ(link.load.bytes, Bytes(500));
  EXPECT_EQ(run(routed(&shortest_routing), {flow_of(1000)}, b).links.size(), 2u);
}

TEST(Failures, SpreadFlowsOverWhatIsLeft) {
  const std::vector<Flow> flows{flow_of(1000), flow_of(1000)};
  EXPECT_EQ(ends(run(routed(&spray_routing), flows)), (Ends{1200, 1200}));
  EXPECT_EQ(ends(run(routed(&spray_routing), flows, "{ node: a }")), (Ends{2200, 2200}));
  // Both flows have 500 bytes left when one way breaks. Then they share the other way, and have 250 bytes
  // left when the broken one is back.
  EXPECT_EQ(ends(run(routed(&spray_routing), flows, "{ node: a, at: 500 ns, until: 1 us }")),
            (Ends{1450, 1450}));
}

TEST(Failures, ASlowLinkSlowsItsFlowsFromThenOn) {
  const Topology topology = routed(&shortest_routing);
  EXPECT_EQ(ends(run(topology, {flow_of(1000)}, "{ link: npu0-a, bandwidth: 50%, at: 500 ns }")), Ends{1700});
  EXPECT_EQ(ends(run(topology, {flow_of(1000)}, "{ link: npu0->a, bandwidth: 0.5, until: 500 ns }")),
            Ends{1450});
  EXPECT_EQ(ends(run(topology, {flow_of(1000)}, "{ link: a->npu0, bandwidth: 50% }")), Ends{1200});
}

TEST(Failures, MessagesOfAChannelStayInLine) {
  const std::vector<Flow> flows{flow_of(1000, 3), flow_of(1000, 3)};
  EXPECT_EQ(ends(run(two_ways(), flows, "{ node: a, at: 1500 ns }")), (Ends{1200, 2200}));
  EXPECT_EQ(ends(run(two_ways(), flows, "{ node: b, at: 1500 ns }")), (Ends{1200, 2200}));
}

TEST(Failures, ThatLeaveNoWayNameTheCutAndTheSender) {
  const std::string both = "- { node: a, at: 100 ns }\n- { link: b->npu1, at: 500 ns }\n";
  try {
    run(routed(&shortest_routing), {flow_of(1000)}, both);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "failures.yaml:2:3: error: at 0.5 us no way leads from npu0 to npu1, cut off at npu0->a, "
                 "b->npu1: npu0 has 1000 bytes to send there since 0 us; leave something whole");
  }
  // After the last flow nobody cares.
  EXPECT_EQ(ends(run(routed(&shortest_routing), {flow_of(100)}, both)).size(), 1u);
}

TEST(Routing, ChoosesAmongEquallyShortWays) {
  const std::vector<Flow> flows{flow_of(1000), flow_of(1000)};
  EXPECT_EQ(ends(run(routed(&shortest_routing), flows)), (Ends{2200, 2200}));
  EXPECT_EQ(ends(run(routed(&adaptive_routing), flows)), (Ends{1200, 1200}));
  EXPECT_EQ(ends(run(routed(&spray_routing), {flow_of(1000)})), Ends{700});
}

TEST(Routing, ByMessageLetsMessagesOfAChannelTakeSeveralWays) {
  std::vector<Flow> flows(40, flow_of(1000, 1));
  for (const Routing routing : {&message_spray_routing, &adaptive_routing}) {
    const FlowsResult result = run(routed(routing), flows);
    EXPECT_EQ(result.links.size(), 4u) << routing->name;
    for (std::size_t i = 0; i < flows.size(); ++i)
      EXPECT_EQ(result.flows[i].end.ns(), 1000.0 * (static_cast<double>(i) + 1) + 200) << routing->name;
  }
  EXPECT_EQ(run(routed(&ecmp_routing), flows).links.size(), 2u);
}

}  // namespace
}  // namespace orrery::core::rerouted_flows_test
