#include "report/table/csv_cell.hpp"

#include <gtest/gtest.h>

namespace orrery::core::csv_cell_test {

namespace {

TEST(CsvCell, NormalTextAndNumbersStayAsTheyAre) {
  for (const char* text : {"", "conv1", "a b", "-5", "-1.5e-3", "+3", "stage 0 = first", "a-b@c"})
    EXPECT_EQ(csv_cell(text), text);
}

TEST(CsvCell, CommasAndQuotesAreQuoted) {
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a\"b"), "\"a\"\"b\"");
}

// A spreadsheet would carry it out.
TEST(CsvCell, FormulasBecomeText) {
  EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_cell("-cmd"), "'-cmd");
  EXPECT_EQ(csv_cell("+1+1"), "'+1+1");
  EXPECT_EQ(csv_cell("=HYPERLINK(\"x\",A1)"), "\"'=HYPERLINK(\"\"x\"\",A1)\"");
}

TEST(CsvCell, ControlCharactersAreEscaped) {
  EXPECT_EQ(csv_cell("a\x1b[2J"), "a\\x1b[2J");
  EXPECT_EQ(csv_cell("a\nb"), "a\\nb");
  EXPECT_EQ(csv_cell("\t=1"), "\\t=1");
}

// A reader of UTF-8 stops at the first byte that is none.
TEST(CsvCell, BytesThatAreNoUtf8AreEscaped) {
  EXPECT_EQ(csv_cell("l\xc3\xa4y\xff"), "l\xc3\xa4y\\xff");
  EXPECT_EQ(csv_cell("\xc3"), "\\xc3");
  std::string line;
  append_csv_cell(line, "\xe4");
  EXPECT_EQ(line, "\\xe4");
}

}  // namespace

}  // namespace orrery::core::csv_cell_test
