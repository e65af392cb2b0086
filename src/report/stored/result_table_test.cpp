#include "report/stored/result_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core::result_table_test {
namespace {

using CellTexts = std::vector<std::string>;

std::string csv_error(const std::string& text) {
  try {
    read_result_csv(text, "links.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(ResultTable, HasColumnsOfNumbersAndOfWords) {
  const auto columns = read_result_csv("from,bytes\nnpu0,12\nnpu1,\nnpu0,1.5e+20\n", "links.csv");
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[0].name, "from");
  EXPECT_EQ(columns[0].words, (CellTexts{"npu0", "npu1"}));
  EXPECT_EQ(columns[0].places, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_FALSE(columns[1].has_words());
  EXPECT_EQ(columns[1].numbers[0], 12);
  EXPECT_TRUE(std::isnan(columns[1].numbers[1]));
  EXPECT_EQ(columns[1].numbers[2], 1.5e20);
}

TEST(ResultTable, LeavesNamesThatLookLikeNumbersAlone) {
  for (const char* name : {"007", "1e5", "+1", "0x10", "1_000", "inf", "1 MB"})
    EXPECT_EQ(column_of("layer", {name}).words, CellTexts{name});
}

TEST(ResultTable, TakesNamesOfRunsForWords) {
  EXPECT_EQ(column_of("run", {"8.0", "8"}).words, (CellTexts{"8.0", "8"}));
  EXPECT_TRUE(column_of("npus", {"8.0", "8"}).words.empty());
}

TEST(ResultTable, ReadsQuotesAndTextsThatAreNoFormulas) {
  const auto columns = read_result_csv("name\n\"a, \"\"b\"\"\"\n'=SUM(A1)\n'quoted'\r\n", "layers.csv");
  EXPECT_EQ(columns[0].words, (CellTexts{"a, \"b\"", "=SUM(A1)", "'quoted'"}));
}

TEST(ResultTable, LeavesOutWhatHoldsNothingAndNamesTheRestByItsPlace) {
  const auto columns =
      read_result_csv(",,time ,,\nfc1,run,1.000000,,\n,,,,\nfc2,run,-nan,,\n,,,\n", "EndToEnd.csv");
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[0].name, "column 1");
  EXPECT_EQ(columns[0].words, (CellTexts{"fc1", "fc2"}));
  EXPECT_EQ(columns[2].name, "time");
  EXPECT_EQ(columns[2].rows(), 2u);
  EXPECT_TRUE(std::isnan(columns[2].numbers[1]));
}

TEST(ResultTable, MayHaveNoRows) {
  const auto columns = read_result_csv("from,to\n", "links.csv");
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[0].rows(), 0u);
}

TEST(ResultTable, ThatWasCutIsRefused) {
  EXPECT_EQ(
      csv_error("from,to\na,b\nc"),
      "links.csv:3: error: the file ends in the middle of a line, so it is not complete: write the results "
      "again");
  EXPECT_EQ(
      csv_error("from,to\na,b\nc\n"),
      "links.csv:3: error: this line has 1 cells, but the first one has 2, so the file was cut or changed: "
      "write the results again");
  EXPECT_EQ(csv_error(""), "links.csv: error: is empty, so it is not complete: write the results again");
  EXPECT_EQ(csv_error("from\n\"a\n"),
            "links.csv:2: error: a cell in quotes does not end as it should: write the results again");
}

}  // namespace
}  // namespace orrery::core::result_table_test
