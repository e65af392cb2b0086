// Tests process groups that a trace itself defines, as PyTorch's do.
#include <gtest/gtest.h>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "workload/chakra/files/trace_writer.hpp"

namespace orrery::core::test::process_groups_test {
namespace {

using chakra::NodeType;

// Rank r of four: defines group 7 (of `groups`), then an all-reduce in it.
chakra::Trace trace(const std::string& groups) {
  chakra::Trace made;
  made.texts = {"", "7"};
  chakra::Node defines, reduces;
  defines.id = 1;
  defines.type = NodeType::metadata;
  made.nodes.push_back(defines, "define");
  reduces.id = 2;
  reduces.type = NodeType::collective;
  reduces.pg_name = 1;
  reduces.comm_size = 2000;
  reduces.has = chakra::has_comm_type | chakra::has_comm_size | chakra::has_pg_name;
  made.nodes.push_back(reduces, "reduce");
  made.parents = {1};
  made.first_parent = {0, 0, 1};
  made.data_parents = {0, 1};
  made.metadata = {{0, groups}};
  return made;
}

class ProcessGroups : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically((folder.path() / name).string(), text);
  }
  Outcome run(const std::vector<std::string>& groups) {
    for (std::size_t rank = 0; rank < groups.size(); ++rank)
      write("trace." + std::to_string(rank) + ".et", chakra::write_trace(trace(groups[rank])));
    write("system.json",
          R"({"preferred-dataset-splits": 1, "all-reduce-implementation": ["ring"], "endpoint-delay": 50})");
    write("network.yml", "topology: [Switch]\nnpus_count: [4]\nbandwidth: [50.0]\nlatency: [500.0]\n");
    const std::string at = folder.path().string() + "/";
    return run_orrery({"--workload-configuration=" + at + "trace",
                       "--system-configuration=" + at + "system.json",
                       "--network-configuration=" + at + "network.yml"});
  }
  TemporaryFolder folder;
};

TEST_F(ProcessGroups, AreDefinedByMetadata) {
  const std::string pairs = R"(['[{"pg_name": "7", "ranks": [0, 1]}]'])";
  const std::string others = R"(['[{"pg_name": "7", "ranks": [2, 3]}]'])";
  const Outcome outcome = run({pairs, pairs, others, others});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  // Two messages of 1000 bytes each way, two hops and 18.6 ns; 10 ns before each and behind the last.
  for (const char* rank : {"0", "1", "2", "3"}) {
    EXPECT_NE(outcome.output.find(std::string("sys[") + rank + "] finished, 2066 cycles"), std::string::npos)
        << outcome.output;
  }
}

TEST_F(ProcessGroups, OfAllRanksAreTheMachine) {
  const std::string all = R"(['[{"pg_name": "7", "ranks": []}]'])";
  const Outcome outcome = run({all, all, all, all});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  // Six messages of 500 bytes, 9.3 ns, and seven delays of 50 ns.
  EXPECT_NE(outcome.output.find("sys[3] finished, 6404 cycles"), std::string::npos) << outcome.output;
}

TEST_F(ProcessGroups, ThatCannotBeReadAreLeftOutWithAWarning) {
  const Outcome outcome = run({"['nonsense']", "['nonsense']", "['nonsense']", "['nonsense']"});
  EXPECT_EQ(outcome.exit_code, 2);  // group 7 is not there
  EXPECT_NE(outcome.error.find("no list of process groups"), std::string::npos) << outcome.error;
}

}  // namespace
}  // namespace orrery::core::test::process_groups_test
