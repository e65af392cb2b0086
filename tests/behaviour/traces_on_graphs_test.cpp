// Execution traces by the flags of ASTRA-sim 2, on a network that is a graph.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::traces_on_graphs_test {
namespace {

// An all-reduce of 1 MiB among all of eight NPUs, four behind each of two switches. By itself the graph has
// dimensions of four and of two.
class TracesOnGraphs : public testing::Test {
 protected:
  void SetUp() override {
    write(
        "layers.yaml",
        "name: step\nnetwork: [ { name: x, topology: ring, size: 8, bandwidth: 25 GB/s, latency: 1 us } ]\n"
        "workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 1 MiB } } ] }\n");
    write("network.yml",
          "build: fat-tree\nlink: { bandwidth: 25 GB/s, latency: 1 us }\n"
          "levels: [ { size: 4 }, { size: 2 } ]\n");
    const Outcome converted =
        call_orrery({"convert", at("layers.yaml"), "--per-rank", "--output", at("traces")});
    ASSERT_EQ(converted.exit_code, 0) << converted.error;
  }
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically(at(name), text);
  }
  Outcome run(const std::string& algorithms, const std::vector<std::string>& more = {}) const {
    write("system.json",
          R"({"preferred-dataset-splits": 1, "all-reduce-implementation": )" + algorithms + "}");
    std::vector<std::string> flags{"run", "--workload-configuration=" + at("traces/step"),
                                   "--system-configuration=" + at("system.json"),
                                   "--network-configuration=" + at("network.yml")};
    flags.insert(flags.end(), more.begin(), more.end());
    return call_orrery(flags);
  }

 private:
  TemporaryFolder folder_;
};

// The ring passes 14 pieces of an eighth on, and never with fewer members than all.
TEST_F(TracesOnGraphs, OneAlgorithmIsOneRingOverAllNpus) {
  write("logical.json", R"({"logical-dims": ["8"]})");
  const Outcome one = run(R"(["ring"])");
  const Outcome named = run(R"(["ring"])", {"--logical-topology-configuration=" + at("logical.json")});
  ASSERT_EQ(one.exit_code, 0) << one.error;
  EXPECT_EQ(one.error, "");
  EXPECT_EQ(one.output, named.output);
  const std::string finished = "sys[0] finished, ";
  const std::size_t place = one.output.find(finished);
  ASSERT_NE(place, std::string::npos) << one.output;
  const double ns = std::stod(one.output.substr(place + finished.size()));
  const double bytes_ns = 14.0 / 8 * 1048576 / 25;
  EXPECT_GT(ns, bytes_ns + 14 * 2000);
  EXPECT_LT(ns, bytes_ns + 14 * 4100);
}

TEST_F(TracesOnGraphs, AnAlgorithmForEachDimensionGoesByDimensions) {
  const Outcome each = run(R"(["ring", "ring"])");
  ASSERT_EQ(each.exit_code, 0) << each.error;
  EXPECT_NE(each.output, run(R"(["ring"])").output);
}

// The others are at the second switch and do nothing, as if the network had only the first.
TEST_F(TracesOnGraphs, TheFirstHostsTakePart) {
  write("logical.json", R"({"logical-dims": ["4"]})");
  const Outcome first = run(R"(["ring"])", {"--logical-topology-configuration=" + at("logical.json")});
  ASSERT_EQ(first.exit_code, 0) << first.error;
  EXPECT_NE(first.error.find("`logical-dims` are of 4 NPUs, and the network has 8"), std::string::npos)
      << first.error;
  write("network.yml", "build: switch\nsize: 4\nlink: { bandwidth: 25 GB/s, latency: 1 us }\n");
  EXPECT_EQ(first.output, run(R"(["ring"])").output);
}

// The ring then has two members, and not all eight.
TEST_F(TracesOnGraphs, WrittenDimensionsWithoutAnAlgorithmAreLeftOut) {
  write("logical.json", R"({"logical-dims": ["2", "4"]})");
  const Outcome one = run(R"(["ring"])", {"--logical-topology-configuration=" + at("logical.json")});
  ASSERT_EQ(one.exit_code, 0) << one.error;
  EXPECT_NE(one.error.find("all-reduce names algorithms for 1 of 2 dimensions"), std::string::npos)
      << one.error;
  EXPECT_NE(one.output, run(R"(["ring"])").output);
}

TEST_F(TracesOnGraphs, MoreAlgorithmsThanDimensionsAreRefused) {
  const Outcome three = run(R"(["ring", "ring", "ring"])");
  EXPECT_EQ(three.exit_code, 2);
  EXPECT_NE(three.error.find("all-reduce names 3 algorithms, and the graph has 2 dimensions"),
            std::string::npos)
      << three.error;
}

}  // namespace
}  // namespace orrery::core::test::traces_on_graphs_test
