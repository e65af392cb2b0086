#include "workload/chakra/files/trace_writer.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"
#include "workload/chakra/files/trace_reader.hpp"

namespace orrery::core::chakra {
namespace {

// A trace with anything in it that a trace can hold, its texts numbered by use.
class RandomTrace {
 public:
  explicit RandomTrace(std::uint64_t seed) : random_(seed) {}

  Trace make() {
    const auto nodes = static_cast<std::uint32_t>(random_.between(0, 12));
    for (std::uint32_t index = 0; index < nodes; ++index) add_node(index);
    trace_.first_parent.push_back(trace_.parents.size());
    return std::move(trace_);
  }

 private:
  bool maybe() { return random_.between(0, 1) == 1; }
  // Returns a random number of any magnitude.
  std::uint64_t number() { return random_.next() >> random_.between(0, 63); }
  std::uint32_t text() {
    const std::string chosen(static_cast<std::size_t>(random_.between(0, 3)),
                             static_cast<char>('a' + random_.between(0, 2)));
    const auto [found, is_new] =
        numbers_.try_emplace(chosen, static_cast<std::uint32_t>(trace_.texts.size()));
    if (is_new) trace_.texts.push_back(chosen);
    return found->second;
  }
  std::vector<Tensor> tensors() {
    std::vector<Tensor> out(static_cast<std::size_t>(random_.between(0, 2)));
    for (Tensor& tensor : out) tensor = {text(), number()};
    return out;
  }

  void add_node(std::uint32_t index) {
    Node node;
    node.id = number();
    node.duration_us = number();
    node.type = static_cast<NodeType>(random_.between(0, 7));
    node.on_cpu = maybe();
    node.has = static_cast<std::uint16_t>(random_.between(0, 2 * has_comm_root - 1));
    if (node.has & has_num_ops) node.num_ops = number();
    if (node.has & has_tensor_size) node.tensor_size = number();
    if (node.has & has_comm_type) node.comm_type = static_cast<CommType>(random_.between(0, 9));
    if (node.has & has_comm_size) node.comm_size = number();
    if (node.has & has_comm_priority) node.comm_priority = static_cast<std::int32_t>(number());
    if (node.has & has_comm_src) node.comm_src = static_cast<std::uint32_t>(number());
    if (node.has & has_comm_dst) node.comm_dst = static_cast<std::uint32_t>(number());
    if (node.has & has_comm_tag) node.comm_tag = number();
    if (node.has & has_comm_root) node.comm_root = static_cast<std::uint32_t>(number());
    if (node.has & has_involved_dims) {
      node.involved_count = static_cast<std::uint8_t>(random_.between(0, 16));
      node.involved_dims = static_cast<std::uint16_t>(random_.between(0, (1 << node.involved_count) - 1));
    }
    if (node.has & has_pg_name) node.pg_name = text();
    if (node.has & has_tensors) {
      std::vector<Tensor> inputs = tensors();
      trace_.tensors.push_back({index, std::move(inputs), tensors()});
    }
    if (node.type == NodeType::metadata && maybe())
      trace_.metadata.push_back({index, "[{\"pg_name\": \"1\"}]"});
    trace_.nodes.push_back(node, std::string(static_cast<std::size_t>(random_.between(0, 30)), 'n'));
    trace_.first_parent.push_back(trace_.parents.size());
    const int data = static_cast<int>(random_.between(0, 3)),
              all = data + static_cast<int>(random_.between(0, 3));
    for (int parent = 0; parent < all; ++parent) trace_.parents.push_back(number());
    trace_.data_parents.push_back(static_cast<std::uint32_t>(data));
  }

  Random random_;
  Trace trace_{{}, {}, {}, {}, {""}, {}, {}, {}, {}};
  std::map<std::string, std::uint32_t> numbers_{{"", 0}};
};

TEST(ChakraTraceWriter, WhatIsReadAgainIsTheSame) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Trace trace = RandomTrace(seed).make();
    ASSERT_EQ(read_trace(write_trace(trace), "t.et"), trace) << seed;
  }
}

TEST(ChakraTraceWriter, LeavesOutWhatIsZeroButIsCpuOp) {
  Trace trace{{}, {}, {0}, {}, {""}, {}, {}, {}, {}};
  const std::string metadata =
      "\x07\x0a\x05"
      "0.0.4";
  EXPECT_EQ(write_trace(trace), metadata);
  trace.nodes.push_back({});
  trace.first_parent = {0, 0};
  trace.data_parents = {0};
  const std::string attribute = std::string("\x0a\x09is_cpu_op\xd8\x01\0", 14);
  EXPECT_EQ(write_trace(trace), metadata + "\x10\x52\x0e" + attribute);
}

}  // namespace
}  // namespace orrery::core::chakra
