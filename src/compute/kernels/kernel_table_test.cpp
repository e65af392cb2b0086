#include "compute/kernels/kernel_table.hpp"

#include <gtest/gtest.h>

namespace orrery::core::kernel_table_test {
namespace {

std::string error_of(const std::string& text) {
  try {
    read_kernel_table(text, "t.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(KernelTable, Rows) {
  const auto rows = read_kernel_table(
      "kind,backward,queries,keys,heads,width,causal,read,written,datatype,time_us\n"
      "attention,true,512,1024,8,64,true,,,bf16,3\n"
      "norm,false,,,,,,100,50,,\n",
      "t.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(std::get<Attention>(rows[0].op.work), (Attention{512, 1024, 8, 8, 64, 64, true, true}));
  EXPECT_EQ(rows[0].type, Datatype::bf16);
  EXPECT_DOUBLE_EQ(*rows[0].seconds, 3e-6);
  EXPECT_EQ(std::get<Elementwise>(rows[1].op.work), (Elementwise{0, 100, 50, PointwiseKind::norm, false}));
  EXPECT_FALSE(rows[1].type);
}

TEST(KernelTable, Errors) {
  EXPECT_EQ(error_of("kind,read,written\nattention,1,1\n"),
            "t.csv:2:1: error: `read` means nothing for the kind `attention`, leave it empty there");
  EXPECT_EQ(error_of("kind,queries,read,written\nnorm,1,1,1\n"),
            "t.csv:2:1: error: `queries` means nothing for the kind `norm`, leave it empty there");
  EXPECT_EQ(error_of("kind,read\nnorm,1\n"),
            "t.csv:2:1: error: an operator of the kind `norm` needs `written`, add that column");
  EXPECT_TRUE(error_of("kind\ngemm\n").starts_with("t.csv:2:1: error: `kind` has to be `attention`"));
}

}  // namespace
}  // namespace orrery::core::kernel_table_test
