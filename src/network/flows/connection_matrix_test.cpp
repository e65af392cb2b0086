#include "network/flows/connection_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "network/flows/flow_file.hpp"
#include "network/flows/run_flows.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core::connection_matrix_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    read_flow_file(text, "flows.cm");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ConnectionMatrix, HasFlowsAndTriggersBetweenThem) {
  const std::vector<Flow> flows = read_flow_file(
      "Nodes 4\nConnections 3\nTriggers 1\n"
      "0->1 id 1 start 2000 size 10 send_done_trigger 7\n"
      "2->3 id 2 start 0 size 20 prio 2 send_done_trigger 7\n"
      "1->2 id 3 trigger 7 size 30\n"
      "trigger id 7 barrier count 2\n",
      "flows.cm");
  ASSERT_EQ(flows.size(), 3u);
  EXPECT_EQ(flows[0].start, Time::from_ns(2));
  EXPECT_EQ(flows[1].priority, 2);
  EXPECT_EQ(flows[2].source, 1);
  EXPECT_EQ(flows[2].destination, 2);
  EXPECT_EQ(flows[2].bytes, Bytes(30));
  EXPECT_EQ(flows[2].after, (std::vector<std::uint32_t>{0, 1}));
}

// Two hosts behind each of two leaves, and two spines.
Topology small_tree() {
  return read_graph_network(parse_yaml(
      "build: fat-tree\nlink: { bandwidth: 1 GB/s, latency: 0 ns }\nlevels: [ { size: 2 }, { size: 2 } ]\n",
      "tree"));
}

LinkChanges changes_by(const std::string& failures, const Topology& topology) {
  std::vector<MatrixFailure> found;
  const auto count = std::ranges::count(failures, '\n');
  read_flow_file("Nodes 4\nConnections 1\nFailures " + std::to_string(count) +
                     "\n0->2 id 1 start 0 size 1000\n" + failures,
                 "flows.cm", &found);
  return changes_of(found, *topology.graph);
}

// A leaf's links lead up, a spine's down.
TEST(ConnectionMatrix, BreaksLinks) {
  Topology topology = small_tree();
  const auto ends = [&](const std::string& failure) {
    std::vector<std::string> names;
    for (const LinkChange& change : changes_by(failure, topology).list) {
      const NetworkLink& link = topology.graph->link(change.link);
      names.push_back(topology.graph->node(link.from).name + " " + topology.graph->node(link.to).name);
      EXPECT_EQ(change.share, 0);
      EXPECT_EQ(change.at, Time());
    }
    std::ranges::sort(names);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(ends("failure switch_type TOR switch_id 1 link_id 0\n"), (Names{"leaf1 spine0", "spine0 leaf1"}));
  EXPECT_EQ(ends("failure switch_type AGG switch_id 1 link_id 0\n"), (Names{"leaf0 spine1", "spine1 leaf0"}));

  // All messages then take the other spine.
  topology.link_changes = std::make_shared<const LinkChanges>(
      changes_by("failure switch_type TOR switch_id 0 link_id 1\n", topology));
  const std::vector<Flow> flows = read_flow_file(
      "Nodes 4\nConnections 2\n0->2 id 1 start 0 size 1000\n1->3 id 2 start 0 size 1000\n", "flows.cm");
  const FlowsResult result = run_flows(flows, topology, {.model = &fluid_model});
  EXPECT_EQ(result.end, Time::from_ns(2000));
  for (const LinkUse& link : result.links) EXPECT_NE(link.to, "spine1");
}

TEST(ConnectionMatrix, SaysWhatIsWrongWithFailures) {
  const Topology topology = small_tree();
  const auto error = [&](const std::string& failures) {
    try {
      changes_by(failures, topology);
    } catch (const InputError& wrong) {
      return std::string(wrong.what());
    }
    return std::string();
  };
  EXPECT_EQ(error("failure switch_type TIR switch_id 0 link_id 0\n"),
            "flows.cm:5:21: error: `TIR` is no kind of switch: `TOR`, `AGG` or `CORE`");
  EXPECT_EQ(error("failure switch_type TOR switch_id 2 link_id 0\n"),
            "flows.cm:5:1: error: there is no switch 2 of this kind: the network has 2, which count from 0");
  EXPECT_EQ(error("failure switch_type CORE switch_id 0 link_id 0\n"),
            "flows.cm:5:1: error: there is no switch 0 of this kind: the network has 0, which count from 0");
  EXPECT_EQ(error("failure switch_type TOR switch_id 0 link_id 2\n"),
            "flows.cm:5:1: error: leaf0 has no link 2 of this kind: it has 2, which count from 0");
  const std::string one = "failure switch_type TOR switch_id 0 link_id 0\n";
  EXPECT_NE(error(one + one).find("broken already"), std::string::npos);
  EXPECT_NE(error(one + "failure switch_type TOR switch_id 0 link_id 1\n").find("reach"), std::string::npos);
  EXPECT_NE(error_of("Nodes 4\nConnections 0\nFailures 1\n" + one).find("give the run's own `failures`"),
            std::string::npos);
  EXPECT_NE(error_of("Nodes 4\nConnections 0\n" + one).find("says that it has 0 failures, and there are 1"),
            std::string::npos);
}

TEST(ConnectionMatrix, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("Nodes 2\nConnections 1\n0->5 id 1 start 0 size 1\n"),
            "flows.cm:3:1: error: `5` is no number of `destination`, which is whole and at most 1");
  EXPECT_EQ(
      error_of("Nodes 2\nConnections 2\n0->1 id 1 start 0 size 1\n"),
      "flows.cm: error: the matrix says that it has 2 connections, and there are 1: correct their number");
  EXPECT_EQ(error_of("Nodes 2\nConnections 1\n0->1 id 1 trigger 3 size 1\n"),
            "flows.cm:3:1: error: the connection waits for trigger 3, which nothing fires");
  EXPECT_EQ(
      error_of("Nodes 2\nConnections 1\n0->1 id 1 begin 3\n"),
      "flows.cm:3:11: error: `begin` is no part of a connection: `id`, `start`, `size`, `prio`, `trigger`, "
      "`send_done_trigger` or `recv_done_trigger`");
  EXPECT_NE(error_of("Nodes 2\nConnections 2\nTriggers 1\n0->1 id 1 start 0 size 1 send_done_trigger 1\n"
                     "1->0 id 2 trigger 1 size 1\ntrigger id 1 barrier count 2\n")
                .find("fired by 1 connections and starts others after 2"),
            std::string::npos);
  EXPECT_NE(
      error_of("Nodes 2\nConnections 2\n0->1 id 1 trigger 1 size 1 send_done_trigger 2\n"
               "1->0 id 2 trigger 2 size 1 send_done_trigger 1\ntrigger id 1 oneshot\ntrigger id 2 oneshot\n")
          .find("can never start"),
      std::string::npos);
}

}  // namespace
}  // namespace orrery::core::connection_matrix_test
