#include "workload/chakra/files/node_list.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace orrery::core::node_list_test {
namespace {

using namespace chakra;

// Returns a node with every attribute at its largest value, or at its least value below zero.
Node largest() {
  Node node;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  node.id = node.duration_us = node.duration_ps = node.num_ops = node.tensor_size = most;
  node.comm_size = node.comm_tag = most;
  node.comm_src = node.comm_dst = node.comm_root = node.pg_name = std::numeric_limits<std::uint32_t>::max();
  node.comm_priority = std::numeric_limits<std::int32_t>::min();
  node.type = NodeType::collective;
  node.comm_type = CommType::barrier;
  node.on_cpu = true;
  node.involved_count = 16;
  node.involved_dims = std::numeric_limits<std::uint16_t>::max();
  node.has = 2 * has_comm_root - 1;
  return node;
}

TEST(ChakraNodeList, GivesBackWhatWasPutIn) {
  NodeList list;
  EXPECT_TRUE(list.empty());
  list.push_back({});
  list.push_back(largest(), "a name");
  Node second = largest();
  second.comm_priority = std::numeric_limits<std::int32_t>::max();
  second.id = 0;
  list.push_back(second, std::string(3'000'000, 'n'));
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0], Node{});
  EXPECT_EQ(list.name(0), "");
  EXPECT_EQ(list[1], largest());
  EXPECT_EQ(list.name(1), "a name");
  EXPECT_EQ(list[2], second);
  EXPECT_EQ(list.name(2).size(), 3'000'000u);
  EXPECT_EQ(list.type(1), NodeType::collective);
  EXPECT_TRUE(list.on_cpu(1));
  EXPECT_FALSE(list.on_cpu(0));
  EXPECT_EQ(list.id(1), largest().id);
  EXPECT_EQ(list.id(2), 0u);
}

TEST(ChakraNodeList, KeepsNoValueOfAnAttributeThatANodeDoesNotHave) {
  for (unsigned bit = 1; bit < 2 * has_comm_root; bit *= 2) {
    Node node = largest();
    node.has = static_cast<std::uint16_t>(node.has & ~bit);
    const Node kept = NodeList{node}[0];
    node.has = kept.has;
    EXPECT_EQ(kept.has & bit, 0u);
    EXPECT_EQ(kept == node, bit == has_tensors) << bit;  // whose values are elsewhere
    EXPECT_EQ(NodeList{kept}[0], kept) << bit;
  }
}

TEST(ChakraNodeList, HoldsManyNodesInManyBlocks) {
  Random random(1);
  NodeList list;
  std::vector<std::string> names;
  for (std::uint64_t id = 0; id < 100'000; ++id) {
    Node node;
    node.id = id * id;
    node.num_ops = random.next() >> random.between(0, 63);
    node.has = has_num_ops;
    names.emplace_back(static_cast<std::size_t>(random.between(0, 40)), static_cast<char>('a' + id % 26));
    list.push_back(node, names.back());
  }
  const NodeList copy = list;
  EXPECT_EQ(copy, list);
  std::size_t index = 0;
  for (const Node node : copy) {
    ASSERT_EQ(node.id, std::uint64_t{index} * index);
    ASSERT_EQ(copy.name(index), names[index]);
    ++index;
  }
  EXPECT_EQ(index, names.size());
  list.push_back({});
  EXPECT_NE(copy, list);
}

}  // namespace
}  // namespace orrery::core::node_list_test
