#include "study/cluster/sweep_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace orrery::core::sweep_parts_test {

namespace {

std::vector<CostedRun> runs_of(const std::vector<double>& seconds) {
  std::vector<CostedRun> runs;
  for (const double each : seconds) runs.push_back({runs.size() * 2, each});
  return runs;
}

TEST(SweepParts, GiveTheLongestRunsToThoseWithLeastToDo) {
  const std::vector<SweepPart> parts = parts_of(runs_of({1, 2, 9, 4, 3, 1}), 2);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].runs.text(), "0,4");       // 1 s and 9 s
  EXPECT_EQ(parts[1].runs.text(), "2,6,8,10");  // 2 s, 4 s, 3 s and 1 s
  EXPECT_EQ(parts[0].seconds, 10);
  EXPECT_EQ(parts[1].seconds, 10);
}

TEST(SweepParts, HaveEachRunOnce) {
  std::vector<double> seconds;
  for (int i = 0; i < 1000; ++i) seconds.push_back(1 + (i * 7919) % 101);
  std::size_t runs = 0;
  const std::vector<SweepPart> parts = parts_of(runs_of(seconds), 7);
  double least = parts[0].seconds, most = least;
  for (const SweepPart& part : parts) {
    runs += part.runs.size();
    least = std::min(least, part.seconds);
    most = std::max(most, part.seconds);
  }
  EXPECT_EQ(runs, 1000u);
  EXPECT_LE(most - least, 101);  // a run at most
  for (std::size_t number = 0; number < 2000; ++number) {
    const auto has =
        std::ranges::count_if(parts, [&](const SweepPart& part) { return part.runs.contains(number); });
    EXPECT_EQ(has, number % 2 == 0 ? 1 : 0) << number;
  }
}

TEST(SweepParts, KeepNeighboursTogetherWhereThereAreVeryMany) {
  std::vector<CostedRun> runs;
  for (std::size_t number = 0; number < 1'000'000; ++number) runs.push_back({number, 1});
  std::size_t count = 0, letters = 0;
  for (const SweepPart& part : parts_of(runs, 100)) {
    count += part.runs.size();
    letters += part.runs.text().size();
  }
  EXPECT_EQ(count, 1'000'000u);
  EXPECT_LT(letters, 4'000'000u);
}

TEST(SweepParts, TakeAboutTenMinutes) {
  EXPECT_EQ(usual_number_of_tasks(runs_of({1, 2}), 1), 1u);
  EXPECT_EQ(usual_number_of_tasks(runs_of(std::vector<double>(100, 60)), 1), 10u);
  EXPECT_EQ(usual_number_of_tasks(runs_of(std::vector<double>(100, 60)), 5), 2u);
  EXPECT_EQ(usual_number_of_tasks(runs_of(std::vector<double>(5000, 3600)), 1), 1000u);
  EXPECT_EQ(usual_number_of_tasks(runs_of({36000, 36000}), 1), 2u);
}

TEST(SweepParts, AreReadAsTheyAreWritten) {
  const std::string text = text_of_parts(parts_of(runs_of({1, 2, 9, 4, 3, 1}), 2), "abc");
  EXPECT_EQ(text, "# sweep abc\n0,4\n2,6,8,10\n");
  EXPECT_EQ(part_in(text, "parts.txt", 2, "abc").text(), "2,6,8,10");
}

TEST(SweepParts, SayWhatIsWrong) {
  const auto message_of = [](const char* text, std::size_t number) -> std::string {
    const InputFault fault = fault_in([&] { part_in(text, "parts.txt", number, "abc"); });
    return fault ? fault->what() : "";
  };
  EXPECT_NE(message_of("# sweep other\n1\n", 1).find("parts.txt:1: error: these are parts of another sweep"),
            std::string::npos);
  EXPECT_NE(message_of("1\n2\n", 3).find("has 2 parts, and none of number 3"), std::string::npos);
  EXPECT_NE(message_of("1\n2,1\n", 2).find("parts.txt:2"), std::string::npos);
}

}  // namespace

}  // namespace orrery::core::sweep_parts_test
