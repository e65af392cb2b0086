#include "report/traces/trace_inspection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace orrery::core::trace_inspection_test {
namespace {

using chakra::CommType;
using chakra::MessageCheck;
using chakra::NodeType;

InspectedTrace trace_of(std::uint32_t rank) {
  InspectedTrace trace;
  trace.file = "t." + std::to_string(rank) + ".et";
  trace.rank = RankId(rank);
  trace.check.nodes_of_type[static_cast<std::size_t>(NodeType::compute)] = 3;
  trace.check.collectives = {{CommType::all_reduce, "", 1, 100}, {CommType::all_to_all, "tp", 2, 500}};
  trace.check.longest_path_us = 40;
  trace.check.longest_path_nodes = 4;
  return trace;
}

InspectedSet set_of(std::vector<InspectedTrace> traces) {
  InspectedSet set;
  set.name = "t";
  set.all_ranks = true;
  set.traces = std::move(traces);
  return set;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

chakra::Trace sends(std::uint64_t tag, std::uint32_t destination, std::uint16_t without = 0) {
  using namespace chakra;
  Node node;
  node.id = 7;
  node.type = NodeType::send;
  node.comm_tag = tag;
  node.comm_dst = destination;
  node.comm_size = 64;
  node.has = static_cast<std::uint16_t>((has_comm_tag | has_comm_dst | has_comm_size) & ~without);
  return {NodeList{node}, {}, {0, 0}, {0}, {""}, {}, {}, {}, {}};
}

TEST(TraceInspection, AddsUpAllTraces) {
  EXPECT_EQ(inspection_text({set_of({trace_of(0), trace_of(1)})}),
            "2 traces, 6 nodes: 6 compute\n"
            "collective   bytes  nodes  group\n"
            "all-to-all  1000 B      4  `tp`\n"
            "all-reduce   200 B      2  all ranks\n"
            "longest path: 40.00 us, 4 nodes\n"
            "nothing is wrong\n");
}

TEST(TraceInspection, ATraceOfNoNodesIsWrong) {
  InspectedTrace empty = trace_of(1);
  empty.check = {};
  const std::vector<InspectedSet> sets{set_of({trace_of(0), empty})};
  EXPECT_FALSE(ok(sets));
  EXPECT_TRUE(contains(inspection_text(sets), "wrong:\n  t.1.et: no nodes: there is nothing to run\n"));
}

TEST(TraceInspection, SaysWhereTheLongestPathsAre) {
  InspectedTrace slow = trace_of(1), deep = trace_of(2);
  slow.check.longest_path_us = 50;
  deep.check.longest_path_nodes = 5;
  EXPECT_TRUE(contains(inspection_text({set_of({trace_of(0), slow, deep})}),
                       "longest path: 50.00 us (t.1.et), 5 nodes (t.2.et)\n"));
}

TEST(TraceInspection, SaysWhatIsWrongOnceForAllTracesThatHaveIt) {
  InspectedTrace bad = trace_of(1), other = trace_of(2), worse = trace_of(3);
  bad.check.missing_parents = other.check.missing_parents = {{5, 99}};
  worse.check.cycles = {{3, 5}, {8}};
  worse.check.repeated_ids = {1, 2, 3, 4};
  const std::vector<InspectedSet> sets{set_of({trace_of(0), bad, other, worse})};
  EXPECT_FALSE(ok(sets));
  EXPECT_TRUE(
      contains(inspection_text(sets),
               "doubtful:\n"
               "  t.1.et and 1 more: 1 parent is not there (node 5 waits for 99): it counts as done, because "
               "converters of profiles leave nodes out; ASTRA-sim 2 stops there\n"
               "wrong:\n"
               "  t.3.et: 2 cycles: 3 waits for 5 waits for 3; 8 waits for 8\n"
               "  t.3.et: 4 duplicate ids: 1; 2; 3; ...\n"))
      << inspection_text(sets);
}

TEST(TraceInspection, SaysThatTheOrderOfARecordingIsLost) {
  InspectedTrace lost = trace_of(0);
  lost.check.order = {
      .nodes = 6, .without_successor = 6, .collectives_without_predecessor = 1, .has_host = true};
  EXPECT_TRUE(ok({set_of({lost})}));
  EXPECT_TRUE(
      contains(inspection_text({set_of({lost})}),
               "doubtful:\n  t.0.et: 6 of 6 device nodes have no successor, and 1 collective has no "
               "predecessor: their order in the recording is lost; add the dependencies, or convert the "
               "recording with start times (start_time_micros)\nnothing else is wrong\n"))
      << inspection_text({set_of({lost})});
  lost.check.order.has_starts = true;
  EXPECT_TRUE(contains(inspection_text({set_of({lost})}), "start times tell it: give --order=recorded\n"));
  lost.check.order.without_successor = 3;
  EXPECT_TRUE(contains(inspection_text({set_of({lost})}), "nothing is wrong\n"));
}

TEST(TraceInspection, SaysWhichMessagesHaveNoPartner) {
  InspectedSet set = set_of({trace_of(0), trace_of(1)});
  MessageCheck messages;
  messages.add(RankId(0), sends(3, 1).nodes);
  messages.add(RankId(1), sends(3, 0, chakra::has_comm_tag).nodes);
  set.judge(messages);
  EXPECT_FALSE(set.ok());
  EXPECT_TRUE(contains(inspection_text({set}),
                       "  t: 1 unmatched message: 64 bytes with tag 3 from rank 0 to 1 has 1 send and 0 "
                       "receives\n"
                       "  t.1.et: 1 incomplete message: node 7 lacks its tag, size or other rank\n"))
      << inspection_text({set});
}

TEST(TraceInspection, DoesNotJudgeMessagesOfRanksThatAreNotThere) {
  InspectedSet set = set_of({trace_of(0)});
  set.all_ranks = false;
  MessageCheck messages;
  messages.add(RankId(0), sends(3, 1).nodes);
  set.judge(messages);
  EXPECT_TRUE(set.ok());
  EXPECT_TRUE(
      contains(inspection_text({set}), "not judged: 1 message with ranks whose traces were not named\n"));
  set.all_ranks = true;
  set.judge(messages);
  EXPECT_FALSE(set.ok());
}

TEST(TraceInspection, StaysWithinAScreen) {
  std::vector<InspectedTrace> traces;
  for (std::uint32_t rank = 0; rank < 100; ++rank) {
    traces.push_back(trace_of(rank));
    traces.back().check.missing_parents.assign(50, {rank, 1000});
    traces.back().check.cycles = {std::vector<std::uint64_t>(500, rank)};
    traces.back().check.collectives.push_back({CommType::broadcast, std::to_string(rank), 1, 1});
  }
  const std::string text = inspection_text({set_of(traces)});
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 30) << text;
  EXPECT_LE(text.size(), 4000u);
  EXPECT_TRUE(contains(text, "  and 92 more, all with --json\n")) << text;
  EXPECT_TRUE(contains(text, "  and 97 more, all with --json\n")) << text;
  EXPECT_TRUE(contains(text, "  and 91 more, all with --json\n")) << text;
}

TEST(TraceInspection, NamesSizesThatNoRunTakesAndComputeWithoutATime) {
  InspectedTrace bad = trace_of(0);
  bad.check.too_large = {2};
  bad.check.compute = {1, 1};
  EXPECT_FALSE(bad.ok());
  const std::string text = inspection_text({set_of({bad})});
  EXPECT_TRUE(contains(text, ": 1 oversized node: node 2 states more than 8 PiB\n")) << text;
  EXPECT_TRUE(contains(text, ": no compute node of the device has a duration, ")) << text;
  const auto json = nlohmann::json::parse(inspection_json({set_of({bad})}));
  EXPECT_EQ(json["sets"][0]["traces"][0]["oversized_nodes"], nlohmann::json::parse("[2]"));
  EXPECT_EQ(json["sets"][0]["traces"][0]["compute_nodes_without_time"], 1);
}

TEST(TraceInspection, JsonHoldsEverything) {
  InspectedTrace bad = trace_of(1);
  bad.check.missing_parents = {{5, 99}};
  bad.check.cycles = {{3, 5}};
  bad.check.collectives[1].process_group = "\xff\x1b";
  const auto json = nlohmann::json::parse(inspection_json({set_of({trace_of(0), bad})}));
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["nodes"]["compute"], 6);
  EXPECT_EQ(json["collectives"].size(), 3u);
  const auto& trace = json["sets"][0]["traces"][1];
  EXPECT_EQ(trace["dangling_parents"][0]["parent"], 99);
  EXPECT_EQ(trace["cycles"], nlohmann::json::parse("[[3, 5]]"));
  EXPECT_EQ(trace["collectives"][1]["process_group"], "\xef\xbf\xbd\x1b");
  EXPECT_TRUE(nlohmann::json::parse(inspection_json({set_of({trace_of(0)})}))["ok"]);
}

TEST(TraceInspection, TakesNothing) {
  EXPECT_TRUE(ok({}));
  EXPECT_TRUE(contains(inspection_text({}), "0 traces, 0 nodes\nlongest path: 0 s, 0 nodes\n"));
}

}  // namespace
}  // namespace orrery::core::trace_inspection_test
