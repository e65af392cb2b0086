#include "topology/files/network_yaml_file.hpp"

#include <gtest/gtest.h>

namespace orrery::core::network_yaml_file_test {
namespace {

constexpr const char* three_dimensions = R"(topology: [ Ring, FullyConnected, Switch ]
npus_count: [ 2, 8, 4 ]  # NPUs
bandwidth: [ 200.0, 100.0, 50 ]  # GB/s
latency: [ 50.0, 500.5, 2000 ]  # ns
)";

// `three_dimensions` with one text replaced by another.
std::string with(const std::string& from, const std::string& to) {
  std::string text = three_dimensions;
  const std::size_t start = text.find(from);
  EXPECT_NE(start, std::string::npos) << from;
  return text.replace(start, from.size(), to);
}

std::string error_of(const std::string& text) {
  Warnings warnings;
  try {
    read_network_yaml_file(text, "n.yml", warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(NetworkYamlFile, ReadsEveryKey) {
  Warnings warnings;
  const Topology topology = read_network_yaml_file(three_dimensions, "n.yml", warnings);
  EXPECT_TRUE(warnings.lines().empty());
  ASSERT_EQ(topology.dimensions.size(), 3u);
  EXPECT_EQ(topology.npus(), 64);
  const Dimension& inner = topology.dimensions[0];
  EXPECT_EQ(inner.name, "dim0");
  EXPECT_EQ(inner.block, Block::ring);
  EXPECT_EQ(inner.size, 2);
  EXPECT_EQ(inner.link_bandwidth.gib_per_s(), 200);
  EXPECT_EQ(inner.link_latency_ns, 50);
  EXPECT_EQ(topology.dimensions[1].block, Block::fully_connected);
  EXPECT_EQ(topology.dimensions[1].link_latency_ns, 500.5);
  EXPECT_EQ(topology.dimensions[1].links, 7);
  EXPECT_EQ(topology.dimensions[2].name, "dim2");
  EXPECT_EQ(topology.dimensions[2].block, Block::switched);
  // ASTRA-sim 2 says GB/s and means GiB/s.
  EXPECT_EQ(topology.dimensions[2].link_bandwidth.bytes_per_ns(), 50 * 1073741824.0 / 1e9);
}

TEST(NetworkYamlFile, WarnsOfUnknownKeys) {
  Warnings warnings;
  read_network_yaml_file(with("npus", "latencies: [1]\ncolour: blue\nnpus"), "n.yml", warnings);
  EXPECT_EQ(warnings.lines(),
            (std::vector<std::string>{"n.yml:2:1: warning: unknown key `latencies` is ignored, did you mean "
                                      "`latency`?",
                                      "n.yml:3:1: warning: unknown key `colour` is ignored"}));
}

TEST(NetworkYamlFile, FcIsShortForFullyConnected) {
  Warnings warnings;
  const Topology topology = read_network_yaml_file(with("FullyConnected", "FC"), "n.yml", warnings);
  const Dimension& dimension = topology.dimensions.at(1);
  EXPECT_TRUE(warnings.lines().empty());
  EXPECT_EQ(dimension.block, Block::fully_connected);
  EXPECT_EQ(dimension.size, 8);
}

TEST(NetworkYamlFile, RejectsWhatIsNoNetwork) {
  EXPECT_EQ(error_of(""), "n.yml: error: the network file has to be a map of keys and values, not nothing");
  EXPECT_EQ(error_of("[1]"),
            "n.yml:1:1: error: the network file has to be a map of keys and values, not a list");
  EXPECT_NE(error_of(with("4 ]", "4 ")).find("this is not YAML"), std::string::npos);
}

TEST(NetworkYamlFile, RejectsMissingKeys) {
  EXPECT_EQ(error_of("topology: [ Ring ]"), "n.yml:1:1: error: the network file needs the key `npus_count`");
  EXPECT_EQ(error_of("npus_count: [ 4 ]"), "n.yml:1:1: error: the network file needs the key `topology`");
  EXPECT_EQ(error_of(with("latency", "delay")), "n.yml:1:1: error: the network file needs the key `latency`");
  EXPECT_EQ(error_of(with("bandwidth", "bandwith")),
            "n.yml:1:1: error: the network file needs the key `bandwidth`");
}

TEST(NetworkYamlFile, RejectsListsOfOtherLengths) {
  EXPECT_EQ(error_of(with("2, 8, 4", "2")),
            "n.yml:2:13: error: `npus_count` has 1 entry, but there are 3 dimensions: give one for each");
  EXPECT_EQ(error_of(with("Ring, FullyConnected, Switch", "Ring")),
            "n.yml:2:13: error: `npus_count` has 3 entries, but there is 1 dimension: give one for each");
  EXPECT_EQ(error_of(with("[ 200.0, 100.0, 50 ]", "50")),
            "n.yml:3:12: error: `bandwidth` has to be a list, not `50`");
  EXPECT_EQ(error_of(with("[ Ring, FullyConnected, Switch ]", "[]")),
            "n.yml:1:11: error: `topology` has to be a list with at least one element, not an empty list");
  EXPECT_NE(error_of(with("[ Ring, FullyConnected, Switch ]", "")).find("`topology` has to be a list"),
            std::string::npos);
}

TEST(NetworkYamlFile, RejectsUnknownTopologies) {
  EXPECT_EQ(
      error_of(with("Switch", "switch")),
      "n.yml:1:35: error: `topology` has to be `Ring`, `FullyConnected`, `FC` or `Switch`, not `switch`");
  EXPECT_EQ(
      error_of(with("Ring", "Torus")),
      "n.yml:1:13: error: `topology` has to be `Ring`, `FullyConnected`, `FC` or `Switch`, not `Torus`");
  EXPECT_EQ(error_of(with("Ring", "[ Ring ]")),
            "n.yml:1:13: error: `topology` has to be a single value, not a list");
}

TEST(NetworkYamlFile, RejectsBadValues) {
  EXPECT_EQ(error_of(with("8,", "1,")),
            "n.yml:2:18: error: `npus_count` has to be a whole number from 2 to 134217728, not `1`");
  EXPECT_NE(error_of(with("8,", "8.5,")).find("whole number"), std::string::npos);
  EXPECT_NE(error_of(with("8,", "-8,")).find("whole number"), std::string::npos);
  EXPECT_NE(error_of(with("8,", "99999999999999999999,")).find("whole number"), std::string::npos);
  EXPECT_EQ(error_of(with("100.0", "0.0")),
            "n.yml:3:21: error: `bandwidth` has to be a number above 0, at most 1000000000000000, not `0.0`");
  for (const char* bad : {"-1", "fast", ".inf", ".nan", "1e400", "~"})
    EXPECT_EQ(error_of(with("100.0", bad)).find("n.yml:3:21: error: `bandwidth` has to be"), 0u) << bad;
  for (const char* bad : {"-0.5", "1 us", "1e16"})
    EXPECT_EQ(error_of(with("500.5", bad)).find("n.yml:4:18: error: `latency` has to be"), 0u) << bad;
  EXPECT_EQ(error_of(with("500.5", "0")), "no error");
}

TEST(NetworkYamlFile, RejectsMachinesThatAreTooLarge) {
  EXPECT_NE(error_of(with("2, 8, 4", "20000, 8, 20000")).find("n.yml:2:25: error: the machine has more than"),
            std::string::npos);
  // Each NPU would have more links than any topology may.
  EXPECT_EQ(error_of(with("8,", "2000000,")).substr(0, 19), "n.yml:2:18: error: ");
  std::string values = "Ring", twos = "2";
  for (int d = 1; d < 11; ++d) {
    values += ", Ring";
    twos += ", 2";
  }
  EXPECT_EQ(error_of("topology: [" + values + "]\nnpus_count: [" + twos + "]\nbandwidth: [" + twos +
                     "]\nlatency: [" + twos + "]"),
            "n.yml:1:72: error: the network has more than 10 dimensions, join some");
}

TEST(NetworkYamlFile, ListsItsKeys) {
  std::vector<std::string> paths;
  for (const KeyPath& key : network_yaml_file_keys()) paths.push_back(key.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"topology", "npus_count", "bandwidth", "latency"}));
}

}  // namespace
}  // namespace orrery::core::network_yaml_file_test
