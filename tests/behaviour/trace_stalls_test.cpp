// Traces that cannot end: the message names what is wrong, shortest explanation first, and the exit code is
// 3, or 2 where the trace itself is at fault.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "workload/chakra/files/trace_writer.hpp"

namespace orrery::core::test::trace_stalls_test {
namespace {

using chakra::Node;
using chakra::NodeType;

Node message(std::uint64_t id, NodeType type, std::uint32_t source, std::uint32_t destination,
             std::uint64_t bytes) {
  Node node;
  node.id = id;
  node.type = type;
  node.comm_src = source;
  node.comm_dst = destination;
  node.comm_size = bytes;
  node.comm_tag = 1;
  node.has = chakra::has_comm_src | chakra::has_comm_dst | chakra::has_comm_size | chakra::has_comm_tag;
  return node;
}

class TraceStalls : public testing::Test {
 protected:
  void SetUp() override {
    write("system.json", R"({"preferred-dataset-splits": 1, "all-reduce-implementation": ["ring"]})");
    write("groups.json", R"({"1": [0, 1, 2]})");
  }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically((folder.path() / name).string(), text);
  }
  // Nodes of a rank, each after the one before.
  void trace(const std::vector<Node>& nodes) {
    chakra::Trace made;
    made.texts = {"", "1"};
    made.first_parent = {0};
    for (const Node& node : nodes) {
      if (!made.nodes.empty()) made.parents.push_back(made.nodes.id(made.nodes.size() - 1));
      made.data_parents.push_back(made.nodes.empty() ? 0 : 1);
      made.first_parent.push_back(made.parents.size());
      made.nodes.push_back(node, "n");
    }
    write("trace." + std::to_string(ranks++) + ".et", chakra::write_trace(made));
  }
  Node compute() const {
    Node node;
    node.id = 1;
    node.type = NodeType::compute;
    node.duration_us = 1;
    return node;
  }
  Node all_reduce_in_group_1() const {
    Node node;
    node.id = 1;
    node.type = NodeType::collective;
    node.comm_size = 300;
    node.pg_name = 1;
    node.has = chakra::has_comm_type | chakra::has_comm_size | chakra::has_pg_name;
    return node;
  }
  Outcome run() {
    write("network.yml", "topology: [Ring]\nnpus_count: [" + std::to_string(ranks) +
                             "]\nbandwidth: [50.0]\nlatency: [500.0]\n");
    const std::string at = folder.path().string() + "/";
    return run_orrery({"--workload-configuration=" + at + "trace",
                       "--system-configuration=" + at + "system.json",
                       "--network-configuration=" + at + "network.yml",
                       "--comm-group-configuration=" + at + "groups.json"});
  }
  void expect(int exit_code, const std::string& first_line) {
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_code, exit_code);
    EXPECT_NE(outcome.error.find(first_line), std::string::npos) << outcome.error;
  }

  TemporaryFolder folder;
  int ranks = 0;
};

constexpr const char* stalled = "error: the simulation cannot go on:\n  ";

TEST_F(TraceStalls, SizesThatDiffer) {
  trace({message(1, NodeType::send, 0, 1, 100)});
  trace({message(1, NodeType::receive, 0, 1, 200)});
  write("groups.json", "{}");
  expect(3, std::string(stalled) +
                "sizes differ: rank 0 sends 100 bytes to rank 1 with tag 1, which receives 200\n");
}

TEST_F(TraceStalls, ACircleOfReceives) {
  write("groups.json", "{}");
  for (std::uint32_t rank : {0u, 1u, 2u})
    trace({message(1, NodeType::receive, (rank + 2) % 3, rank, 8),
           message(2, NodeType::send, rank, (rank + 1) % 3, 8)});
  expect(3, std::string(stalled) + "ranks 0 -> 2 -> 1 -> 0 wait for each other\n");
}

TEST_F(TraceStalls, ASenderThatHasEnded) {
  write("groups.json", "{}");
  trace({compute()});
  trace({message(1, NodeType::receive, 0, 1, 8)});
  expect(3, "rank 1 receives 8 bytes from rank 0 with tag 1, but rank 0 has ended without sending them\n");
}

TEST_F(TraceStalls, AMemberThatDoesNotJoin) {
  for (int rank = 0; rank < 2; ++rank) trace({all_reduce_in_group_1()});
  for (int rank = 0; rank < 2; ++rank) trace({compute()});
  expect(3, std::string(stalled) +
                "a collective of group 1, which rank 0 has started, waits for rank 2, which has ended "
                "without it\n");
}

TEST_F(TraceStalls, ARankOutsideItsGroup) {
  for (int rank = 0; rank < 4; ++rank) trace({all_reduce_in_group_1()});
  expect(2, "node 1 (`n`) names the communicator group 1, of which rank 3 is no member");
}

TEST_F(TraceStalls, AMessageToItself) {
  write("groups.json", "{}");
  trace({message(1, NodeType::send, 0, 0, 8)});
  trace({compute()});
  expect(2, "node 1 (`n`) is a message of rank 0 to itself, which no network carries");
}

}  // namespace
}  // namespace orrery::core::test::trace_stalls_test
