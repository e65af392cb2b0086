#include "workload/chakra/check/trace_check.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace orrery::core::chakra {
namespace {

class TraceMaker {
 public:
  void add(NodeType type, std::uint64_t us, std::vector<std::uint64_t> parents = {}, Node node = {},
           std::uint64_t id = 0) {
    trace_.first_parent.back() = trace_.parents.size();
    trace_.parents.insert(trace_.parents.end(), parents.begin(), parents.end());
    trace_.first_parent.push_back(trace_.parents.size());
    trace_.data_parents.push_back(static_cast<std::uint32_t>(parents.size()));
    node.id = id > 0 ? id : trace_.nodes.size() + 1;
    node.type = type;
    node.duration_us = us;
    trace_.nodes.push_back(node);
  }
  void add_collective(CommType type, std::uint64_t bytes, std::uint32_t group) {
    Node node;
    node.comm_type = type;
    node.comm_size = bytes;
    node.pg_name = group;
    node.has = has_comm_type | has_comm_size | has_pg_name;
    add(NodeType::collective, 0, {}, node);
  }
  void add_message(NodeType type, std::uint64_t tag, std::uint32_t other, std::uint64_t bytes,
                   unsigned without = 0) {
    Node node;
    (type == NodeType::send ? node.comm_dst : node.comm_src) = other;
    node.comm_tag = tag;
    node.comm_size = bytes;
    node.has = has_comm_tag | has_comm_size;
    node.has |= type == NodeType::send ? has_comm_dst : has_comm_src;
    node.has &= static_cast<std::uint16_t>(~without);
    add(type, 0, {}, node);
  }
  const Trace& trace() const { return trace_; }

 private:
  Trace trace_{{}, {}, {0}, {}, {"", "tp", "dp"}, {}, {}, {}, {}};
};

TEST(ChakraTraceCheck, CountsNodesAndBytes) {
  TraceMaker maker;
  maker.add(NodeType::compute, 1);
  maker.add(NodeType::compute, 1);
  maker.add(NodeType::memory_load, 1);
  maker.add_collective(CommType::all_gather, 100, 1);
  maker.add_collective(CommType::all_reduce, 10, 1);
  maker.add_collective(CommType::all_reduce, 20, 2);
  maker.add_collective(CommType::all_reduce, 30, 2);
  maker.add_collective(CommType::all_reduce, 40, 0);
  maker.add(NodeType::collective, 1);
  const TraceCheck check = check_trace(maker.trace());
  EXPECT_EQ(check.nodes_of_type, (std::array<std::uint64_t, 8>{0, 0, 1, 0, 2, 0, 0, 6}));
  EXPECT_EQ(check.collectives, (std::vector<CollectiveTotal>{{CommType::all_reduce, "", 1, 40},
                                                             {CommType::all_reduce, "dp", 2, 50},
                                                             {CommType::all_reduce, "tp", 1, 10},
                                                             {CommType::all_gather, "tp", 1, 100}}));
  EXPECT_TRUE(check.can_run());
}

TEST(ChakraTraceCheck, CountsMemberAgreementAndBarriersWithoutASize) {
  TraceMaker maker;
  maker.add_collective(CommType::broadcast, 7, 0);
  maker.add_collective(CommType::scatter, 8, 1);
  maker.add_collective(CommType::scatter, 9, 1);
  Node barrier;
  barrier.comm_type = CommType::barrier;
  barrier.has = has_comm_type;
  maker.add(NodeType::collective, 0, {}, barrier);
  EXPECT_EQ(
      check_trace(maker.trace()).collectives,
      (std::vector<CollectiveTotal>{
          {CommType::scatter, "tp", 2, 17}, {CommType::broadcast, "", 1, 7}, {CommType::barrier, "", 1, 0}}));
}

TEST(ChakraTraceCheck, MeasuresTheLongestPaths) {
  TraceMaker maker;
  maker.add(NodeType::compute, 10);            // 1
  maker.add(NodeType::compute, 1, {1});        // 2
  maker.add(NodeType::compute, 1, {2});        // 3
  maker.add(NodeType::compute, 100, {1});      // 4
  maker.add(NodeType::compute, 5, {1, 2, 4});  // 5
  const TraceCheck check = check_trace(maker.trace());
  EXPECT_EQ(check.longest_path_us, 115u);
  EXPECT_EQ(check.longest_path_nodes, 3u);
  EXPECT_EQ(check_trace(TraceMaker().trace()).longest_path_nodes, 0u);
}

TEST(ChakraTraceCheck, SumsDoNotWrapAround) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  TraceMaker maker;
  maker.add(NodeType::compute, most);
  maker.add(NodeType::compute, 2, {1});
  maker.add_collective(CommType::reduce, most, 0);
  maker.add_collective(CommType::reduce, 1, 0);
  const TraceCheck check = check_trace(maker.trace());
  EXPECT_EQ(check.longest_path_us, most);
  EXPECT_EQ(check.collectives.at(0).bytes, most);
}

TEST(ChakraTraceCheck, ListsSizesThatNoRunTakes) {
  TraceMaker maker;
  maker.add(NodeType::compute, 10);
  maker.add_collective(CommType::all_reduce, std::uint64_t{1} << 53, 0);
  maker.add_collective(CommType::all_reduce, (std::uint64_t{1} << 53) + 1, 0);
  maker.add_message(NodeType::send, 1, 1, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(check_trace(maker.trace()).too_large, (std::vector<std::uint64_t>{3, 4}));
}

TEST(ChakraTraceCheck, ListsWhatCannotRun) {
  TraceMaker maker;
  maker.add(NodeType::compute, 3);
  maker.add(NodeType::compute, 50, {3, 77});
  maker.add(NodeType::compute, 50, {2, 66, 66});
  maker.add(NodeType::compute, 50, {3, 99});
  maker.add(NodeType::compute, 4, {}, {}, 1);
  const TraceCheck check = check_trace(maker.trace());
  EXPECT_EQ(check.missing_parents, (std::vector<TraceIndex::Missing>{{2, 77}, {3, 66}, {4, 99}}));
  EXPECT_EQ(check.cycles, (std::vector<std::vector<std::uint64_t>>{{2, 3}}));
  EXPECT_EQ(check.repeated_ids, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(check.longest_path_us, 4u);
  EXPECT_FALSE(check.can_run());
}

TEST(ChakraTraceCheck, MatchesSendsWithReceives) {
  TraceMaker first, second;
  first.add_message(NodeType::send, 1, 1, 64);
  first.add_message(NodeType::send, 1, 1, 64);
  first.add_message(NodeType::send, 500'000'002, 1, 64);
  first.add_message(NodeType::send, 3, 1, 64);
  first.add_message(NodeType::send, 4, 7, 64);
  second.add_message(NodeType::receive, 1, 0, 64);
  second.add_message(NodeType::receive, 2, 0, 64);
  second.add_message(NodeType::receive, 3, 0, 65);
  second.add_message(NodeType::receive, 1, 0, 64);
  MessageCheck check;
  check.add(RankId(0), first.trace().nodes);
  check.add(RankId(1), second.trace().nodes);
  EXPECT_EQ(check.unmatched(), (std::vector<MessageCheck::Unmatched>{{{3, RankId(0), RankId(1), 64}, 1, 0},
                                                                     {{3, RankId(0), RankId(1), 65}, 0, 1},
                                                                     {{4, RankId(0), RankId(7), 64}, 1, 0}}));
  EXPECT_TRUE(check.incomplete().empty());
}

TEST(ChakraTraceCheck, NamesSendsAndReceivesThatLackAnAttribute) {
  TraceMaker maker;
  maker.add_message(NodeType::send, 1, 1, 64, has_comm_tag);
  maker.add_message(NodeType::send, 1, 1, 64, has_comm_dst);
  maker.add_message(NodeType::receive, 1, 1, 64, has_comm_src);
  maker.add_message(NodeType::receive, 1, 1, 64, has_comm_size);
  MessageCheck check;
  const RankId rank(5);
  check.add(rank, maker.trace().nodes);
  EXPECT_EQ(check.incomplete(),
            (std::vector<MessageCheck::Incomplete>{{rank, 1}, {rank, 2}, {rank, 3}, {rank, 4}}));
  EXPECT_TRUE(check.unmatched().empty());
}

}  // namespace
}  // namespace orrery::core::chakra
