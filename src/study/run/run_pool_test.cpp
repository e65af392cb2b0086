#include "study/run/run_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace orrery::core::run_pool_test {
namespace {

std::vector<std::size_t> numbers_below(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

TEST(RunPool, HandsOverResultsInOrderForAnyNumberOfThreads) {
  for (const int threads : {-1, 0, 1, 2, 3, 8, 100}) {
    std::vector<std::size_t> squares(50), order;
    run_in_order(
        squares.size(), threads,
        [&](std::size_t i) {
          // The first ones take longest.
          std::this_thread::sleep_for(std::chrono::microseconds(20 * (squares.size() - i)));
          squares[i] = i * i;
        },
        [&](std::size_t i) {
          EXPECT_EQ(squares[i], i * i);
          order.push_back(i);
        });
    EXPECT_EQ(order, numbers_below(squares.size())) << threads << " threads";
  }
}

TEST(RunPool, ConsumesOnTheCallingThread) {
  const auto caller = std::this_thread::get_id();
  run_in_order(
      10, 4, [](std::size_t) {}, [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(RunPool, DoesNothingOfNothing) {
  run_in_order(
      0, 4, [](std::size_t) { FAIL(); }, [](std::size_t) { FAIL(); });
}

// The results of a pool in which tasks 7 and 20 throw, the later one first.
struct Failing {
  std::vector<std::size_t> finished;
  std::string error = "none";
  std::size_t begun = 0;
};
Failing run_failing(int threads) {
  constexpr std::size_t count = 10'000;
  Failing result;
  std::atomic<std::size_t> begun = 0;
  const auto task = [&](std::size_t i) {
    ++begun;
    // Task 7 ends behind task 20. Those behind both take so long that even a thread which the system puts
    // aside for a second has said that its task failed before they are through.
    if (i == 7) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (i > 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (i == 7 || i == 20) throw std::runtime_error("task " + std::to_string(i));
  };
  try {
    run_in_order(count, threads, task, [&](std::size_t i) { result.finished.push_back(i); });
  } catch (const std::runtime_error& error) {
    result.error = error.what();
  }
  result.begun = begun;
  return result;
}

TEST(RunPool, ThrowsTheFirstTasksExceptionAndBeginsNoMore) {
  for (const int threads : {1, 2, 8}) {
    const Failing result = run_failing(threads);
    EXPECT_EQ(result.error, "task 7");
    EXPECT_EQ(result.finished, numbers_below(7));
    EXPECT_LT(result.begun, 10'000u);
  }
}

TEST(RunPool, StopsWhenTheConsumerThrows) {
  std::atomic<int> begun = 0;
  EXPECT_THROW(run_in_order(
                   100'000, 2, [&](std::size_t) { ++begun; }, [](std::size_t) { throw std::bad_alloc(); }),
               std::bad_alloc);
  EXPECT_GE(begun, 1);
}

TEST(RunPool, TasksAndConsumerShareResultsWithoutARaceThread) {
  std::vector<std::string> results(500);
  std::string all, expected;
  run_in_order(
      results.size(), 4, [&](std::size_t i) { results[i] = std::to_string(i); },
      [&](std::size_t i) { all += results[i]; });
  for (std::size_t i = 0; i < results.size(); ++i) expected += std::to_string(i);
  EXPECT_EQ(all, expected);
}

TEST(RunPool, FailingTasksEndWithoutARaceThread) {
  for (int repeat = 0; repeat < 20; ++repeat) EXPECT_EQ(run_failing(4).error, "task 7");
}

}  // namespace
}  // namespace orrery::core::run_pool_test
