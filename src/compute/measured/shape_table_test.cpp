#include "compute/measured/shape_table.hpp"

#include <gtest/gtest.h>

namespace orrery::core::shape_table_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    read_shape_table(text, "t.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ShapeTable, Rows) {
  const auto rows = read_shape_table(
      "# mine\nk, m ,n,time_us,source,datatype\r\n\n3,1,2,1.5,x y,fp8\r\n4,5,6,7,,fp32", "t.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].gemm, (Gemm{1, 2, 3, 1}));
  EXPECT_EQ(rows[0].type, Datatype::fp8);
  EXPECT_DOUBLE_EQ(*rows[0].seconds, 1.5e-6);
  EXPECT_EQ(rows[1].where.text(), "t.csv:5:1");
  EXPECT_FALSE(read_shape_table("m,n,k\n1,1,1\n", "t.csv")[0].seconds);
}

TEST(ShapeTable, Errors) {
  EXPECT_EQ(error_of(""), "t.csv: error: no shapes; the first line has to be `m,n,k`, then a line for each");
  EXPECT_EQ(error_of("m,n,k,bach\n"), "t.csv:1:7: error: unknown key `bach`, did you mean `batch`?");
  EXPECT_EQ(error_of("m,n,m\n"), "t.csv:1:5: error: the key `m` stands twice; remove one");
  EXPECT_EQ(error_of("m,n\n"), "t.csv:1:1: error: the first line needs the key `k`");
  EXPECT_EQ(error_of("m,n,k\n1,2\n"), "t.csv:2:1: error: this line has 2 values, the first line names 3");
  EXPECT_EQ(error_of("m,n,k\n1,0,2\n"),
            "t.csv:2:3: error: `n` has to be a whole number from 1 to 1099511627776, not `0`");
  EXPECT_EQ(error_of("m,n,k,time_us\n1,1,2,-1\n"),
            "t.csv:2:7: error: `time_us` has to be a number of microseconds above 0, not `-1`");
  EXPECT_TRUE(
      error_of("m,n,k,datatype\n1,1,2,half\n").starts_with("t.csv:2:7: error: `datatype` has to be `fp64`"));
}

}  // namespace
}  // namespace orrery::core::shape_table_test
