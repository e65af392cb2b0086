#include "report/stored/result_files.hpp"

#include <gtest/gtest.h>

#include <set>

namespace orrery::core::result_files_test {
namespace {

TEST(ResultFiles, HaveOneLineEach) {
  std::set<std::string_view> names;
  for (const ResultFile& file : result_files) EXPECT_TRUE(names.insert(file.name).second) << file.name;
}

TEST(ResultFiles, ThatThePageShowsAreTables) {
  for (const ResultFile& file : result_files) {
    const std::string_view name = file.name;
    if (file.on_page)
      EXPECT_EQ(std::string(page_table_of(name)) + ".csv", name);
    else
      EXPECT_EQ(page_table_of(name), "") << name;
  }
}

TEST(ResultFiles, MayHaveTheNameOfARunInFront) {
  EXPECT_EQ(page_table_of("vgg_links.csv"), "links");
  EXPECT_EQ(page_table_of("a_b_dimension_utilization.csv"), "dimension_utilization");
  EXPECT_EQ(page_table_of("vgg-links.csv"), "");
  EXPECT_EQ(page_table_of("topology-links.csv"), "topology-links");
  EXPECT_EQ(page_table_of("links"), "");
}

TEST(ResultFiles, AndWhatLooksLikeOneAreNoNamesOfRuns) {
  EXPECT_TRUE(is_name_of_results("summary.json"));
  EXPECT_TRUE(is_name_of_results("rank-times.csv"));
  EXPECT_TRUE(is_name_of_results("a_rank-times.csv"));
  EXPECT_TRUE(is_name_of_results("timeline.kineto"));
  EXPECT_FALSE(is_name_of_results("links"));
}

}  // namespace
}  // namespace orrery::core::result_files_test
