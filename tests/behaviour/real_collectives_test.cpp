// The switch for collectives that ASTRA-sim 2 does not run: off by default, by kind in the system file, or
// all by a flag.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "workload/chakra/files/trace_writer.hpp"

namespace orrery::core::test::real_collectives_test {
namespace {

using chakra::CommType;

// Four NPUs that do one collective of 800 bytes, behind a switch of 1 byte per ns.
class RealCollectives : public testing::Test {
 protected:
  void SetUp() override {
    node.type = chakra::NodeType::collective;
    node.id = 1;
    node.comm_size = 800;
    node.duration_us = 3;
    node.has = chakra::has_comm_type | chakra::has_comm_size;
  }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically((folder.path() / name).string(), text);
  }
  Outcome run(CommType type, const std::string& keys, const std::vector<std::string>& flags = {}) {
    node.comm_type = type;
    chakra::Trace trace;
    trace.texts = {"", "1"};
    trace.nodes = {node};
    trace.first_parent = {0, 0};
    trace.data_parents = {0};
    write("trace.et", chakra::write_trace(trace));
    write("system.json", R"({"reduce-scatter-implementation": ["ring"])" + keys + "}");
    write("network.yml",
          "topology: [Switch]\nnpus_count: [4]\nbandwidth: [0.931322574615]\nlatency: [100]\n");
    write("groups.json", R"({"1": [0, 1, 3]})");
    const std::string at = folder.path().string() + "/";
    std::vector<std::string> all{
        "--workload-configuration=" + at + "trace", "--system-configuration=" + at + "system.json",
        "--network-configuration=" + at + "network.yml", "--comm-group-configuration=" + at + "groups.json"};
    all.insert(all.end(), flags.begin(), flags.end());
    return run_orrery(all);
  }
  // Rank 3 is the last of a chain from rank 0.
  void expect_finish(int rank, int ns, const Outcome& outcome) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_NE(outcome.output.find(fmt::format("sys[{}] finished, {} cycles", rank, ns)), std::string::npos)
        << outcome.output;
  }
  void expect_error(const std::string& text, const Outcome& outcome) {
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.error.find(text), std::string::npos) << outcome.error;
  }

  TemporaryFolder folder;
  chakra::Node node;
};

constexpr int round_trip = 10 + 200 + 800;  // delay and message of 800 bytes

TEST_F(RealCollectives, AreOffAsInAstraSim2) {
  expect_finish(3, 3000, run(CommType::broadcast, ""));
  for (const auto& [type, word] : {std::pair{CommType::reduce, "reduce"},
                                   {CommType::gather, "gather"},
                                   {CommType::scatter, "scatter"},
                                   {CommType::barrier, "barrier"}}) {
    expect_error(fmt::format("node 1 is a {0}, which ASTRA-sim 2 does not run: give --real-collectives, "
                             "or `{0}-implementation` in the system file",
                             word),
                 run(type, ""));
  }
  expect_error("is a reduce-scatter-block, which ASTRA-sim 2 does not run: give --real-collectives",
               run(CommType::reduce_scatter_block, ""));
}

TEST_F(RealCollectives, AreSwitchedOnKindByKind) {
  const std::string ring = R"(, "broadcast-implementation": "ring")";
  expect_finish(3, 3 * round_trip + 10, run(CommType::broadcast, ring));
  expect_finish(3, 3 * round_trip + 10,
                run(CommType::broadcast, R"(, "broadcast-implementation": ["ring"])"));
  expect_error("is a reduce,", run(CommType::reduce, ring));
  expect_finish(0, 10 + 3 * (200 + 800 + 10), run(CommType::reduce, R"(, "reduce-implementation": "ring")"));
  expect_finish(0, 10 + 200 + 800 + 10, run(CommType::gather, R"(, "gather-implementation": "direct")"));
  expect_finish(3, 10 + 200 + 200 + 10, run(CommType::scatter, R"(, "scatter-implementation": "direct")"));
  node.has = chakra::has_comm_type;  // a barrier needs no size
  expect_finish(3, 10 + 200 + 8 + 10, run(CommType::barrier, R"(, "barrier-implementation": "direct")"));
}

TEST_F(RealCollectives, AreTreesByTheFlagUnlessTheSystemFileSays) {
  const std::vector<std::string> flag{"--real-collectives"};
  expect_finish(1, 2 * round_trip + 10, run(CommType::broadcast, "", flag));
  expect_finish(3, 3 * round_trip + 10,
                run(CommType::broadcast, R"(, "broadcast-implementation": "ring")", flag));
  // Shares of 200 bytes around the ring.
  expect_finish(3, 3 * (10 + 200 + 200) + 10, run(CommType::reduce_scatter_block, "", flag));
}

TEST_F(RealCollectives, NeedAKnownWordForEachDimension) {
  expect_error(
      "system.json:1:73: error: `broadcast-implementation` has to be `ring`, `tree` or `direct`, not `star`",
      run(CommType::broadcast, R"(, "broadcast-implementation": "star")"));
  expect_error("`reduce-implementation` has to be `ring`, `tree` or `direct`, not `direct4`",
               run(CommType::broadcast, R"(, "reduce-implementation": ["direct4"])"));
  expect_error("`reduce-implementation` has to be a list with at least one element, not an empty list",
               run(CommType::broadcast, R"(, "reduce-implementation": [])"));
  expect_error("`reduce-implementation` has to be",
               run(CommType::broadcast, R"(, "reduce-implementation": 4)"));
  expect_error(
      "system.json:1:71: error: barrier names 2 algorithms but the network has 1 dimensions, name one per "
      "dimension, or one for all",
      run(CommType::broadcast, R"(, "barrier-implementation": ["ring", "ring"])"));
}

TEST_F(RealCollectives, TakeTheRootThatTheNodeNames) {
  const std::string ring = R"(, "broadcast-implementation": "ring")";
  node.has |= chakra::has_comm_root;
  node.comm_root = 1;
  expect_finish(1, round_trip, run(CommType::broadcast, ring));
  expect_finish(0, 3 * round_trip + 10, run(CommType::broadcast, ring));
  node.comm_root = 4;
  expect_error("node 1 names rank 4 as comm_root, but the machine has 4 NPUs",
               run(CommType::broadcast, ring));
  node.comm_root = 2;
  node.has |= chakra::has_involved_dims;
  node.involved_count = 1;
  expect_error(
      "names rank 2 as comm_root, which rank 0 does not meet in the dimensions that its involved_dim "
      "names",
      run(CommType::broadcast, ring));
  node.pg_name = 1;
  node.has |= chakra::has_pg_name;
  expect_error("names rank 2 as comm_root, which is no member of its group 1",
               run(CommType::broadcast, ring));
}

TEST_F(RealCollectives, AreReplayedAsAllNodesAre) {
  expect_finish(3, 3000, run(CommType::reduce, R"(, "replay-only": 1)", {"--real-collectives"}));
}

}  // namespace
}  // namespace orrery::core::test::real_collectives_test
