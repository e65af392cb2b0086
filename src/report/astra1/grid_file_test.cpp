// The rules are in docs/models/reports.md, Tables that runs share.
#include "report/astra1/grid_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"

namespace orrery::core::grid_file_test {
namespace {

TEST(GridFile, StartsAsCommas) {
  EXPECT_EQ(GridFile(2, 4).text(), ",,,\n,,,\n");
}

TEST(GridFile, InsertsBehindTheCommaOfTheCell) {
  GridFile grid(3, 3);
  grid.insert(0, 0, "Name");
  grid.insert(1, 2, 4875.201);
  grid.insert(2, 1, "b");
  EXPECT_EQ(grid.text(), "Name,,\n,,4875.201000\n,b,\n");
}

TEST(GridFile, GluesNewTextInFrontOfOld) {
  GridFile grid(1, 2);
  grid.insert(0, 1, "1.0");
  grid.insert(0, 1, "2.0");
  EXPECT_EQ(grid.text(), ",2.01.0\n");
}

TEST(GridFile, WidensALineThatIsTooShort) {
  GridFile grid(2, 2);
  grid.insert(1, 4, "x");
  EXPECT_EQ(grid.text(), ",\n,,,,x\n");
}

TEST(GridFile, HasNoOtherLinesThanItsOwn) {
  GridFile grid(2, 2);
  EXPECT_EQ(grid.rows(), 2u);
  EXPECT_THROW(grid.insert(2, 0, "x"), std::out_of_range);
  EXPECT_THROW(grid.clear(2), std::out_of_range);
}

TEST(GridFile, ReadsWhatItWrote) {
  for (std::string text : {",,\na,,b\n,,\n", "one\n", ",\n\n,x\n", ""})
    EXPECT_EQ(GridFile(text).text(), text);
  EXPECT_EQ(GridFile("a,b\nc,").text(), "a,b\nc,\n");
  GridFile grid(",,\na,,b\n");
  EXPECT_EQ(grid.rows(), 2u);
  grid.insert(1, 1, "x");
  EXPECT_EQ(grid.text(), ",,\na,x,b\n");
}

TEST(GridFile, FillsARowAfterClearingIt) {
  GridFile grid("a,b,c\n");
  grid.clear(0);
  grid.insert(0, 1, "x");
  EXPECT_EQ(grid.text(), ",x,\n");
}

TEST(GridFile, ClearsALineButKeepsItsCommas) {
  GridFile grid("a,b,c\nd,e,f\n");
  grid.clear(1);
  EXPECT_EQ(grid.text(), "a,b,c\n,,\n");
}

TEST(GridNumber, HasSixDecimals) {
  EXPECT_EQ(grid_number(0), "0.000000");
  EXPECT_EQ(grid_number(1234567890.5), "1234567890.500000");
  EXPECT_EQ(grid_number(-0.0000004), "-0.000000");
  EXPECT_EQ(grid_number(0.0000005000001), "0.000001");
  EXPECT_EQ(grid_number(std::numeric_limits<double>::quiet_NaN()), "-nan");
}

TEST(GridNumber, IsWhatPrintfWrites) {
  Random random(1);
  std::vector<double> values{0.0,   -0.0,     1,     -1,     100,       0.5,      1e15,
                             -1e15, 1e15 + 1, 1e300, 5e-324, 0.0000005, 1.0000005};
  values.push_back(std::numeric_limits<double>::infinity());
  for (int i = 0; i < 20'000; ++i) {
    const int digits = random.between(-8, 18);
    values.push_back(random.between(-1'000'000, 1'000'000) * std::pow(10.0, digits) / 7);
    values.push_back(random.between(-1'000'000, 1'000'000) / 1024.0);
  }
  for (const double value : values) {
    std::array<char, 400> expected{};
    std::snprintf(expected.data(), expected.size(), "%f", value);
    EXPECT_EQ(grid_number(value), expected.data());
  }
}

}  // namespace
}  // namespace orrery::core::grid_file_test
