#include "study/sweep/run_numbers.hpp"

#include <gtest/gtest.h>

namespace orrery::core::run_numbers_test {

namespace {

TEST(RunNumbers, KeepNeighboursAsRanges) {
  RunNumbers numbers;
  for (const std::size_t number : {0, 1, 2, 5, 7, 8}) numbers.add(number);
  EXPECT_EQ(numbers.text(), "0-2,5,7-8");
  EXPECT_EQ(numbers.size(), 6u);
  for (const std::size_t number : {0, 1, 2, 5, 7, 8}) EXPECT_TRUE(numbers.contains(number)) << number;
  for (const std::size_t number : {3, 4, 6, 9}) EXPECT_FALSE(numbers.contains(number)) << number;
  EXPECT_FALSE(RunNumbers().contains(0));
}

TEST(RunNumbers, AreReadAsTheyAreWritten) {
  for (const char* text : {"0", "0-15,32,48-63", "7,9,11"}) {
    const RunNumbers numbers = read_run_numbers(text, {"file", 1});
    EXPECT_EQ(numbers.text(), text);
  }
}

TEST(RunNumbers, RefuseWhatIsNoList) {
  for (const char* text : {"", "a", "1,", "3-2", "2,1", "1,1", "-1", "1-", "0-99999999999"})
    EXPECT_THROW(read_run_numbers(text, {"file", 1}), InputError) << text;
}

}  // namespace

}  // namespace orrery::core::run_numbers_test
