// What comes with the program, as orrery list says it.
#include <gtest/gtest.h>

#include <string>

#include "support/cases.hpp"

namespace orrery::core::test::list_test {
namespace {

// The peak is that of fp16, which everybody quotes. Devices without fp16 have the one of bf16.
TEST(List, DevicesHaveThePeakThatEverybodyQuotes) {
  const Outcome outcome = call_orrery({"list", "devices"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  for (const char* const line :
       {"NVIDIA A100 SXM4, 80 GB         312.0 fp16", "989.4 fp16", "432.0 bf16", "46.0 bf16"})
    EXPECT_NE(outcome.output.find(line), std::string::npos) << line << "\n" << outcome.output;
}

}  // namespace
}  // namespace orrery::core::test::list_test
