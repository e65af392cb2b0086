#include "topology/files/network_file.hpp"

#include <gtest/gtest.h>

namespace orrery::core::network_file_test {
namespace {

constexpr const char* two_dimensions = R"({
"dimensions-count": 2,
"topologies-per-dim": ["Ring", "Switch"],
"units-count": [4, 2],
"links-count": [2, 1],
"link-latency": [500, 1000.5],
"link-bandwidth": [50, 6.25]
})";

// `two_dimensions` with one text replaced by another.
std::string with(const std::string& from, const std::string& to) {
  std::string text = two_dimensions;
  const std::size_t start = text.find(from);
  EXPECT_NE(start, std::string::npos) << from;
  return text.replace(start, from.size(), to);
}

Topology read(const std::string& text, Warnings& warnings, const NetworkOverrides& overrides = {}) {
  return read_network_file(text, "n.json", overrides, warnings);
}

Topology read(const std::string& text, const NetworkOverrides& overrides = {}) {
  Warnings warnings;
  const Topology topology = read(text, warnings, overrides);
  for (const std::string& line : warnings.lines()) ADD_FAILURE() << line;
  return topology;
}

void expect_error(const std::string& text, const std::string& prefix, const std::string& word,
                  const NetworkOverrides& overrides = {}) {
  Warnings warnings;
  try {
    read(text, warnings, overrides);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind(prefix + ": error: ", 0), 0u) << what;
    EXPECT_NE(what.find(word), std::string::npos) << what;
  }
}

TEST(NetworkFile, ReadsTheRequiredKeysAndDefaults) {
  const Topology topology = read(two_dimensions);
  ASSERT_EQ(topology.dimensions.size(), 2u);
  const Dimension& first = topology.dimensions[0];
  const Dimension& second = topology.dimensions[1];
  EXPECT_EQ(first.name, "dim0");
  EXPECT_EQ(first.block, Block::ring);
  EXPECT_EQ(first.size, 4);
  EXPECT_EQ(first.links, 2);
  EXPECT_EQ(first.link_latency_ns, 500);
  EXPECT_EQ(first.link_bandwidth.gib_per_s(), 50);
  EXPECT_EQ(second.name, "dim1");
  EXPECT_EQ(second.block, Block::switched);
  EXPECT_EQ(second.link_latency_ns, 1000.5);
  EXPECT_EQ(second.link_bandwidth.gib_per_s(), 6.25);
  EXPECT_EQ(second.nic_latency_ns, 0);
  EXPECT_EQ(second.router_latency_ns, 0);
  EXPECT_EQ(second.hbm_latency_ns, 0);
  EXPECT_EQ(second.hbm_bandwidth.bytes_per_ns(), 1);
  EXPECT_EQ(second.hbm_scale, 0);
  EXPECT_EQ(second.packaging, Packaging::node);
}

TEST(NetworkFile, ReadsTheOptionalKeys) {
  const Dimension dimension =
      read(
          R"({"topology-name": "Hierarchical", "topologies-per-dim": ["FullyConnected"], "units-count": [8.0],
               "links-count": [7], "link-latency": [1], "link-bandwidth": [1], "nic-latency": [0.7],
               "router-latency": [10], "hbm-latency": [9], "hbm-bandwidth": [370], "hbm-scale": [1.5],
               "dimension-type": ["Tile"]})")
          .dimensions.at(0);
  EXPECT_EQ(dimension.block, Block::fully_connected);
  EXPECT_EQ(dimension.size, 8);
  EXPECT_EQ(dimension.nic_latency_ns, 0.7);
  EXPECT_EQ(dimension.router_latency_ns, 10);
  EXPECT_EQ(dimension.hbm_latency_ns, 9);
  EXPECT_EQ(dimension.hbm_bandwidth.bytes_per_ns(), 370);
  EXPECT_EQ(dimension.hbm_scale, 1.5);
  EXPECT_EQ(dimension.packaging, Packaging::tile);
}

TEST(NetworkFile, FcIsShortForFullyConnected) {
  EXPECT_EQ(
      read(R"({"topologies-per-dim": ["FC"], "units-count": [8], "links-count": [7], "link-latency": [1],
                     "link-bandwidth": [1]})")
          .dimensions.at(0)
          .block,
      Block::fully_connected);
}

TEST(NetworkFile, ReadsDimensionTypes) {
  const auto packaging = [](const std::string& word) {
    return read(with("{", "{ \"dimension-type\": [\"" + word + "\", \"Pod\"],")).dimensions[0].packaging;
  };
  EXPECT_EQ(packaging("Tile"), Packaging::tile);
  EXPECT_EQ(packaging("Package"), Packaging::package);
  EXPECT_EQ(packaging("Node"), Packaging::node);
  EXPECT_EQ(packaging("Pod"), Packaging::pod);
  EXPECT_EQ(packaging("P"), Packaging::node);
}

TEST(NetworkFile, TakesOverrides) {
  NetworkOverrides overrides;
  overrides.units_count = {8, 16};
  overrides.links_count = {4, 3};
  overrides.link_bandwidth = {25, 12.5};
  overrides.link_latency = {1, 2.5};
  // The value that is replaced may be anything.
  const Topology topology = read(with("[4, 2]", "[4]"), overrides);
  EXPECT_EQ(topology.npus(), 128);
  EXPECT_EQ(topology.dimensions[1].links, 3);
  EXPECT_EQ(topology.dimensions[1].link_bandwidth.gib_per_s(), 12.5);
  EXPECT_EQ(topology.dimensions[1].link_latency_ns, 2.5);
}

TEST(NetworkFile, PointsAtBadOverrides) {
  expect_error(two_dimensions, "--units-count", "1 entry", {{8}, {}, {}, {}});
  expect_error(two_dimensions, "--links-count", "3 entries", {{}, {2, 2, 2}, {}, {}});
  expect_error(two_dimensions, "--link-bandwidth", "above 0", {{}, {}, {50, 0}, {}});
  expect_error(two_dimensions, "--link-latency", "dimension 1", {{}, {}, {}, {1, -1}});
  expect_error(two_dimensions, "--units-count", "2^27", {{1 << 14, 1 << 14}, {}, {}, {}});
}

TEST(NetworkFile, WarnsOfUnknownKeys) {
  Warnings warnings;
  read(with("{", "{\n\"router-latencies\": 7,"), warnings);
  EXPECT_EQ(warnings.lines(),
            std::vector<std::string>{"n.json:2:1: warning: unknown key `router-latencies` is ignored, "
                                     "did you mean `router-latency`?"});
}

TEST(NetworkFile, RejectsWhatIsNoNetwork) {
  expect_error("", "n.json:1:1", "JSON");
  expect_error("[]", "n.json:1:1", "a map");
  expect_error(with("6.25]", "6.25],"), "n.json:8:1", "JSON");
  expect_error(with("2,", "2, \"topology-name\": \"Torus\","), "n.json:2:41", "Hierarchical");
}

TEST(NetworkFile, RejectsMissingKeys) {
  for (const std::string key :
       {"topologies-per-dim", "units-count", "links-count", "link-latency", "link-bandwidth"}) {
    std::string text = two_dimensions;
    const std::size_t start = text.find("\"" + key);
    text.insert(start + 1, "_______________________");
    expect_error(text, "n.json:1:1", "needs the key `" + key + "`");
  }
}

TEST(NetworkFile, RejectsBadValues) {
  expect_error(with("2,", "0,"), "n.json:2:21", "1 to 10");
  expect_error(with("2,", "11,"), "n.json:2:21", "1 to 10");
  expect_error(with("2,", "\"2\","), "n.json:2:21", "not the text `2`");
  expect_error(with("\"Switch\"", "\"switch\""), "n.json:3:32", "`Ring`, `FullyConnected`, `FC` or `Switch`");
  expect_error(with("\"Switch\"", "7"), "n.json:3:32", "double quotes");
  expect_error(with("[4, 2]", "[4]"), "n.json:4:16", "`units-count` has 1 entry");
  expect_error(with("[4, 2]", "[4, 2, 2]"), "n.json:4:16", "3 entries");
  expect_error(with("[4, 2]", "8"), "n.json:4:16", "a list");
  expect_error(with("[4, 2]", "[4, 2.5]"), "n.json:4:20", "whole number");
  expect_error(with("[4, 2]", "[0, 2]"), "n.json:4:17", "`units-count` has to be a whole number from 1");
  expect_error(with("[2, 1]", "[1, 1]"), "n.json:5:17", "two links");
  expect_error(with("[2, 1]", "[2, 3000000000]"), "n.json:5:20", "whole number");
  expect_error(with("1000.5", "-1"), "n.json:6:23", "link latency");
  expect_error(with("6.25", "0"), "n.json:7:24", "link bandwidth");
  expect_error(with("{", "{\"hbm-bandwidth\": [1, 0],"), "n.json:1:23", "HBM bandwidth");
  expect_error(with("{", "{\"dimension-type\": [\"Pod\", \"Tile\"],"), "n.json:1:28", "Tile");
}

TEST(NetworkFile, RejectsTooFewDimensionsCounted) {
  // The count defaults to 1.
  expect_error(with("\"dimensions-count\": 2,", ""), "n.json:3:23", "but there is 1 dimension");
}

TEST(NetworkFile, ListsItsKeys) {
  EXPECT_EQ(network_file_keys().size(), 13u);
}

}  // namespace
}  // namespace orrery::core::network_file_test
