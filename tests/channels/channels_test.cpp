// Channels of known machines. A case is a file with a network, members, and what NCCL makes of them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/files/file.hpp"
#include "support/source_dir.hpp"
#include "topology/channels/group_channels.hpp"
#include "topology/graph/formats/graph_file.hpp"

namespace orrery::core::test::channels_test {
namespace {

namespace fs = std::filesystem;

struct Case {
  NetworkGraph graph;
  GroupChannels channels;

  std::string name(NodeId node) const {
    return graph.is_npu(node) ? std::to_string(node.value()) : graph.node(node).name;
  }
  std::string ring(std::size_t channel) const {
    std::vector<std::string> nodes;
    for (const ChannelHop& hop : channels.ring(channel)) {
      nodes.push_back(name(hop.from));
      for (const NodeId node : hop.through) nodes.push_back(name(node));
    }
    return fmt::format("{}", fmt::join(nodes, " "));
  }
  std::string tree(std::size_t channel, bool between_machines) const {
    std::vector<std::string> edges;
    for (const ChannelHop& edge : channels.tree(channel))
      if (!between_machines || !edge.through.empty())
        edges.push_back(fmt::format("{}>{}", edge.from.value(), edge.to.value()));
    return fmt::format("{}", fmt::join(edges, " "));
  }
  static std::string orders(const HostChannels& of, bool with_ports) {
    std::string text;
    for (const HostChannel& channel : of.channels) {
      const std::string order = fmt::format("{}", fmt::join(channel.order, ">"));
      text += with_ports ? fmt::format("N{}: {} :N{}\n", channel.entry, order, channel.exit) : order + "\n";
    }
    return text;
  }
  std::string search() const {
    const auto& plan = channels.plan(0);
    return fmt::format("{} x {:g}, tree {} x {:g}/{:g}, {} executed, {} heads", plan.ring.channels.size(),
                       static_cast<double>(plan.ring.rate_inside) / 1000, plan.tree.channels.size(),
                       static_cast<double>(plan.tree.rate_inside) / 1000,
                       static_cast<double>(plan.tree.rate_outside) / 1000, channels.executed(),
                       plan.heads.size());
  }

  std::string value_of(const std::string& key) const {
    const std::size_t dash = key.rfind('-');
    const std::size_t channel = dash == key.npos ? 0 : std::stoul(key.substr(dash + 1));
    const std::string what = key.substr(0, dash);
    if (what == "search") return search();
    if (what == "rings") return orders(channels.plan(0).ring, true);
    if (what == "orders") return orders(channels.plan(0).ring, false);
    if (what == "trees") return orders(channels.plan(0).tree, true);
    if (what == "ring") return ring(channel);
    if (what == "tree") return tree(channel, false);
    if (what == "between-machines") return tree(channel, true);
    return "no such key";
  }
};

// Reads "0-3 8".
std::vector<NodeId> members_of(const std::string& text) {
  std::vector<NodeId> members;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t dash = word.find('-');
    const auto first = std::stoul(word.substr(0, dash));
    const auto last = dash == word.npos ? first : std::stoul(word.substr(dash + 1));
    for (auto npu = first; npu <= last; ++npu) members.push_back(NodeId(npu));
  }
  return members;
}

TEST(Channels, OfKnownMachines) {
  std::size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(source_dir() + "/tests/channels")) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().filename());
    ++cases;
    const InputNode file = parse_yaml(read_file_of_any_kind(entry.path().string()), entry.path().string());
    NetworkGraph graph = read_graph(*file.find("network")).graph;
    GroupChannels channels(graph, members_of(file.find("members")->text), {});
    const Case found{std::move(graph), std::move(channels)};
    for (std::size_t i = 0; i < file.names.size(); ++i) {
      const std::string& key = file.names[i].text;
      if (key == "network" || key == "members") continue;
      EXPECT_EQ(found.value_of(key), file.items[i].text) << key;
    }
  }
  EXPECT_GE(cases, 13U);
}

// Every hop starts where the one before it has ended, and all members are passed once.
TEST(Channels, RingsPassAllMembers) {
  const std::string path = source_dir() + "/tests/channels/hgx-h100-4.yaml";
  const InputNode file = parse_yaml(read_file_of_any_kind(path), path);
  const NetworkGraph graph = read_graph(*file.find("network")).graph;
  for (const std::string members : {"0-31", "0-23", "0-10 16-20", "1 3 5 17 30", "2 10", "0-4"}) {
    const GroupChannels channels(graph, members_of(members), {});
    for (std::size_t channel = 0; channel < channels.executed(); ++channel) {
      std::vector<NodeId> passed;
      const auto ring = channels.ring(channel);
      for (std::size_t i = 0; i < ring.size(); ++i) {
        EXPECT_EQ(ring[i].to, ring[(i + 1) % ring.size()].from);
        passed.push_back(ring[i].from);
      }
      std::ranges::sort(passed);
      EXPECT_EQ(passed, members_of(members)) << members;
      EXPECT_EQ(channels.tree(channel).size() + 1, passed.size()) << members;
    }
  }
}

}  // namespace
}  // namespace orrery::core::test::channels_test
