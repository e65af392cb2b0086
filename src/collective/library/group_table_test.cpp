#include "collective/library/group_table.hpp"

#include <gtest/gtest.h>

#include "collective/library/library_file.hpp"

namespace orrery::core::group_table_test {
namespace {

std::string table_error(const std::string& text) {
  Warnings warnings;
  try {
    for (const GroupRow& row : read_group_table(text, "g.csv"))
      cost_of(row, find_library_constants("nccl", {}, no_files()), warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GroupTable, Rows) {
  const auto rows = read_group_table(
      "# "
      "mine\nbytes,link,operation,members,per_node,inter,gpus_per_node,nics_per_node,algorithm,time_us,"
      "system,timed\n"
      "7,nvlink3,all-reduce,16,8,efa,8,4,ring,1.5,x,call\n\n9,nvlink4,send,2,,,,,,,,\n",
      "g.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].bytes, 7);
  EXPECT_EQ(rows[0].links.inside.text(), "nvlink3");
  EXPECT_EQ(rows[0].links.between.text(), "efa");
  EXPECT_EQ(rows[0].links.nics_per_node, 4);
  EXPECT_EQ(rows[0].group.nodes(), 2);
  EXPECT_EQ(rows[0].algorithm, LibraryAlgorithm::ring);
  EXPECT_DOUBLE_EQ(rows[0].seconds.value(), 1.5e-6);
  EXPECT_EQ(rows[0].timed_by, TimedBy::call);
  EXPECT_EQ(rows[1].timed_by, TimedBy::kernel);
  EXPECT_EQ(rows[1].operation, std::nullopt);
  EXPECT_EQ(rows[1].group.per_node, 2);
  EXPECT_EQ(rows[1].links.gpus_per_node, 8);
  EXPECT_EQ(rows[1].where.text(), "g.csv:5:1");
}

TEST(GroupTable, EveryOperationHasACost) {
  Warnings warnings;
  for (const auto& [word, operation] : library_operation_words) {
    GroupRow row;
    row.links = {"nvlink4", "", 8, 0};
    row.operation = operation;
    row.bytes = 1e6;
    EXPECT_GT(cost_of(row, find_library_constants("nccl", {}, no_files()), warnings).seconds, 0) << word;
  }
}

TEST(GroupTable, ALoneCallTakesTheHostsTimeToo) {
  Warnings warnings;
  const LibraryConstants nccl = find_library_constants("nccl", {}, no_files());
  GroupRow row;
  row.links = {"nvlink4", "", 8, 0};
  row.bytes = 1e6;
  const double kernel = cost_of(row, nccl, warnings).seconds;
  row.timed_by = TimedBy::call;
  EXPECT_DOUBLE_EQ(cost_of(row, nccl, warnings).seconds, kernel + nccl.lone_call_seconds);
  EXPECT_GT(nccl.lone_call_seconds, 0);
  row.group = {1, 1};
  EXPECT_EQ(cost_of(row, nccl, warnings).seconds, 0);
}

TEST(GroupTable, Errors) {
  EXPECT_EQ(table_error(""),
            "g.csv: error: no groups; the first line has to be `link,operation,members,bytes`, then a line "
            "for each");
  EXPECT_EQ(table_error("link,byte\n"), "g.csv:1:6: error: unknown key `byte`, did you mean `bytes`?");
  EXPECT_EQ(table_error("link,link\n"), "g.csv:1:6: error: the key `link` stands twice; remove one");
  EXPECT_EQ(table_error("link,bytes\n"), "g.csv:1:1: error: the first line needs the key `operation`");
  const std::string header = "link,operation,members,bytes,per_node,algorithm,time_us\n";
  EXPECT_EQ(table_error(header + "nvlink4,send\n"),
            "g.csv:2:1: error: this line has 2 values, the first line names 7");
  EXPECT_TRUE(
      table_error(header + "nvlink4,sent,2,1,,,\n").starts_with("g.csv:2:9: error: `operation` has to be "));
  EXPECT_TRUE(
      table_error(header + "nvlink4,send,0,1,,,\n").starts_with("g.csv:2:14: error: `members` has to be "));
  EXPECT_EQ(table_error(header + "nvlink4,send,2,1,,,-1\n"),
            "g.csv:2:20: error: `time_us` has to be a number of microseconds above 0, not `-1`");
  EXPECT_EQ(table_error(header + "nvlink4,send,3,1,,,\n"), "g.csv:2:1: error: a send has 2 members, not 3");
  EXPECT_EQ(table_error(header + "nvlink4,send,2,1,,ring,\n"),
            "g.csv:2:1: error: send has one algorithm in NCCL, leave the algorithm out");
  EXPECT_EQ(table_error(header + "nvlink4,all-gather,16,1,8,,\n"),
            "g.csv:2:1: error: a group over 2 nodes needs a class of links between nodes, name one");
}

}  // namespace
}  // namespace orrery::core::group_table_test
