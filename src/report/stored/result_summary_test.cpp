#include "report/stored/result_summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core::result_summary_test {
namespace {

const ResultTable& summary_table(const ResultSummary& summary, const std::string& name) {
  return *std::ranges::find(summary.tables, name, &ResultTable::name);
}

std::string summary_error(const std::string& text) {
  try {
    read_result_summary(text, "summary.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(ResultSummary, MakesTablesOfListsAndMaps) {
  const ResultSummary summary = read_result_summary(
      R"({"experiment": "e", "origin": {"version": "1"}, "runs": [
          {"name": "a", "step_us": 2.5, "links": [{"from": "x", "use": 1}, {"from": "y", "use": 2}]},
          {"name": "b", "memory": {"weights_bytes": 7, "fits": true}, "ends_us": [1, 2], "warnings": ["w"]},
          {"name": "c", "error": "why"}]})",
      "summary.json");
  EXPECT_EQ(summary.experiment, "e");
  EXPECT_EQ(summary.origin, R"({"version":"1"})");
  EXPECT_EQ(summary.runs, (std::vector<std::string>{"a", "b", "c"}));
  const ResultTable& runs = summary_table(summary, "runs");
  ASSERT_EQ(runs.rows(), 3u);
  EXPECT_EQ(runs.columns[1].name, "step_us");
  EXPECT_EQ(runs.columns[1].numbers[0], 2.5);
  EXPECT_EQ(summary_table(summary, "warnings").columns[1].words, std::vector<std::string>{"w"});
  EXPECT_EQ(summary_table(summary, "failures").columns[1].words, std::vector<std::string>{"why"});
  const ResultTable& link_table = summary_table(summary, "links");
  EXPECT_EQ(link_table.columns[0].name, "run");
  EXPECT_EQ(link_table.columns[0].places, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(link_table.columns[2].numbers, (std::vector<double>{1, 2}));
  EXPECT_EQ(summary_table(summary, "memory").columns[1].numbers, std::vector<double>{7});
  EXPECT_EQ(summary.tables.size(), 5u);
}

TEST(ResultSummary, MayBeThatOfASingleRun) {
  const ResultSummary summary =
      read_result_summary(R"({"name": "a", "ranks": [{"rank": 0}]})", "summary.json");
  EXPECT_EQ(summary.experiment, "");
  EXPECT_EQ(summary.runs, std::vector<std::string>{"a"});
  EXPECT_EQ(summary_table(summary, "ranks").rows(), 1u);
}

TEST(ResultSummary, ThatWasCutOrIsNoneIsRefused) {
  EXPECT_EQ(
      summary_error("{\"experiment\": \"e\",\n \"runs\": [{\"name\""),
      "summary.json:2:18: error: is no JSON from here on, so the file was cut or changed: write the results "
      "again");
  for (const char* text :
       {"[]", "{}", "3", R"({"runs": 3})", R"({"runs": [3]})", R"({"runs": [{"name": 3}]})",
        R"({"name": "a", "x": 1e999})", "[[[[[[[[[[[[[[[[[[[[[[3]]]]]]]]]]]]]]]]]]]]]]"})
    EXPECT_EQ(summary_error(text),
              "summary.json: error: is no summary of results: name a folder that `orrery run` has written")
        << text;
}

}  // namespace
}  // namespace orrery::core::result_summary_test
