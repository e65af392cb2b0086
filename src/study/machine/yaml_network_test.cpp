#include "study/machine/yaml_network.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orrery::core::yaml_network_test {
namespace {

Topology read(const std::string& text) {
  Warnings warnings;
  return read_yaml_network(parse_yaml(text, "x.yaml"), warnings);
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(YamlNetwork, every_key) {
  const Dimension d = read(R"([ { name: outer, topology: switch, size: 16, links: 6, bandwidth: 25 GiB/s,
    latency: 0.5 us, nic-latency: 3 ns, router-latency: 1.5 ns, packaging: pod,
    memory: { latency: 500 ns, bandwidth: 370 GB/s, scale: 0.25 } } ])")
                          .dimensions.at(0);
  EXPECT_EQ(d.name, "outer");
  EXPECT_EQ(d.block, Block::switched);
  EXPECT_EQ(d.size, 16);
  EXPECT_EQ(d.links, 6);
  EXPECT_EQ(d.link_bandwidth.gib_per_s(), 25.0);
  EXPECT_EQ(d.link_latency_ns, 500.0);
  EXPECT_EQ(d.nic_latency_ns, 3.0);
  EXPECT_EQ(d.router_latency_ns, 1.5);
  EXPECT_EQ(d.packaging, Packaging::pod);
  EXPECT_EQ(d.hbm_latency_ns, 500.0);
  EXPECT_EQ(d.hbm_bandwidth.bytes_per_ns(), 370.0);
  EXPECT_EQ(d.hbm_scale, 0.25);
}

TEST(YamlNetwork, defaults) {
  const auto dimensions = read(R"(
- { topology: ring, size: 8, bandwidth: 1 GB/s, latency: 1 ns }
- { topology: fully-connected, size: 4, bandwidth: 1 GB/s, latency: 1 ns }
- { topology: switch, size: 4, bandwidth: 1 GB/s, latency: 1 ns, memory: { bandwidth: 1 GB/s } }
)")
                              .dimensions;
  EXPECT_EQ(dimensions[0].links, 2);
  EXPECT_EQ(dimensions[1].links, 3);
  EXPECT_EQ(dimensions[2].links, 1);
  EXPECT_EQ(dimensions[1].name, "dim1");
  EXPECT_EQ(dimensions[0].hbm_scale, 0.0);
  EXPECT_EQ(dimensions[2].hbm_scale, 1.0);
  EXPECT_EQ(dimensions[2].packaging, Packaging::node);
}

TEST(YamlNetwork, fc_is_short_for_fully_connected) {
  const Dimension d =
      read("[ { topology: FC, size: 4, bandwidth: 1 GB/s, latency: 1 ns } ]").dimensions.at(0);
  EXPECT_EQ(d.block, Block::fully_connected);
  EXPECT_EQ(d.links, 3);
}

TEST(YamlNetwork, refuses_and_says_where) {
  const auto with = [](const std::string& rest) {
    return error_of("- { topology: ring, size: 8, latency: 1 ns" + rest);
  };
  EXPECT_EQ(with(", bandwidth: 25 }"),
            "x.yaml:1:56: error: `25` has no unit; write a bandwidth such as `25 GB/s`, in MB/s, GB/s, TB/s "
            "(decimal bytes), "
            "MiB/s, GiB/s, TiB/s (binary bytes) or Mb/s, Gb/s, Tb/s (bits)");
  EXPECT_EQ(with(" }"), "x.yaml:1:3: error: a network dimension needs the key `bandwidth`");
  EXPECT_EQ(with(", bandwith: 1 GB/s }"),
            "x.yaml:1:45: error: unknown key `bandwith`, did you mean `bandwidth`?");
  EXPECT_EQ(with(", bandwidth: 1 GB/s, links: 1 }").substr(0, 14), "x.yaml:1:71: e");  // a ring needs a pair
  EXPECT_EQ(with(", bandwidth: 1 GB/s, packaging: box }"),
            "x.yaml:1:75: error: `packaging` has to be `tile`, `package`, `node` or `pod`, not `box`");
  EXPECT_NE(with(", bandwidth: 1 GB/s, memory: { scale: 1 } }").find("needs the key `bandwidth`"),
            std::string::npos);
  EXPECT_NE(error_of("{ topology: ring }").find("`network` has to be a list"), std::string::npos);
  EXPECT_NE(error_of("[]").find("at least one element"), std::string::npos);
  EXPECT_NE(error_of("[ ring ]").find("a network dimension has to be a map"), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::yaml_network_test
