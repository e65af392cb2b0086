// No key of a network file of flits is without effect: there is a network on which another value of it
// changes when flows end or what wires carry.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <optional>

#include "support/flit_networks.hpp"
#include "topology/flits/flit_network_file.hpp"

namespace orrery::core::test::flit_keys_test {
namespace {

using Keys = std::map<std::string, std::string>;

// Packages of four NPUs, with few buffers, so that packets wait.
Keys packages(const std::string& topology, const std::string& routing) {
  return {{"topology", topology},     {"routing-algorithm", routing}, {"num-npus", "24"},
          {"num-packages", "6"},      {"package-rows", "2"},          {"links-per-tile", "2"},
          {"flit-width", "256"},      {"local-packet-size", "512"},   {"package-packet-size", "256"},
          {"tile-link-width", "128"}, {"package-link-width", "64"},   {"vcs-per-vnet", "3"},
          {"buffers-per-vc", "4"}};
}
Keys grid(const std::string& topology, const std::string& routing) {
  Keys keys = packages(topology, routing);
  for (const char* key : {"num-packages", "package-rows"}) keys.erase(key);
  keys["sizes"] = "4,3,2";
  keys["rings"] = "1,1,1";
  return keys;
}

// Another value of each key.
const Keys others{{"topology", "AllToAll"},
                  {"num-npus", "48"},
                  {"num-packages", "12"},
                  {"package-rows", "3"},
                  {"sizes", "6,2,2"},
                  {"rings", "2,1,1"},
                  {"local-rings", "2"},
                  {"horizontal-rings", "2"},
                  {"vertical-rings", "2"},
                  {"links-per-tile", "3"},
                  {"routing-algorithm", "AllToAll"},
                  {"flit-width", "128"},
                  {"local-packet-size", "256"},
                  {"package-packet-size", "512"},
                  {"tile-link-width", "64"},
                  {"package-link-width", "128"},
                  {"local-link-efficiency", "0.5"},
                  {"package-link-efficiency", "0.5"},
                  {"local-link-latency", "10"},
                  {"package-link-latency", "10"},
                  {"router-latency", "3"},
                  {"vcs-per-vnet", "2"},
                  {"buffers-per-vc", "32"},
                  {"network-clock-ghz", "2"},
                  {"pad-last-packet", "0"},
                  {"injection-order", "interleave"},
                  {"strict-reference", "1"}};

// Returns when flows end and what wires carry; none: the network or a way on it is refused.
std::optional<std::string> outcome_of(const Keys& keys) {
  std::string text;
  for (const auto& [key, value] : keys) text += fmt::format("{}: {}\n", key, value);
  try {
    const Topology topology = flit_network(text);
    Random random(1);
    const FlowsResult result = run_flits(topology, random_flit_flows(random, 24, 200));
    std::string outcome;
    for (const FlowTimes& flow : result.flows) outcome += fmt::format("{} ", flow.end.ps());
    for (const LinkUse& link : result.links)
      outcome += fmt::format("{} {} {} ", link.from, link.to, link.load.bytes.count());
    return outcome;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

TEST(FlitKeys, EveryKeyChangesWhatAnyNetworkDoes) {
  const std::vector<Keys> networks{packages("Torus3D", "Ring_XY"), packages("NV_Switch", "table"),
                                   packages("NV_Switch", "AllToAll"), grid("Torus", "Ring_XY"),
                                   grid("Mesh", "Mesh_XY")};
  std::vector<std::string> base;
  for (const Keys& network : networks) {
    const std::optional<std::string> outcome = outcome_of(network);
    ASSERT_TRUE(outcome) << network.at("topology");
    base.push_back(*outcome);
  }
  for (const KeyPath& key : flit_network_file_keys()) {
    bool changes = false;
    for (std::size_t i = 0; i < networks.size(); ++i) {
      Keys changed = networks[i];
      changed[key.path] = others.at(key.path);
      const std::optional<std::string> outcome = outcome_of(changed);
      changes |= outcome && *outcome != base[i];
    }
    EXPECT_TRUE(changes) << key.path;
  }
}

}  // namespace
}  // namespace orrery::core::test::flit_keys_test
