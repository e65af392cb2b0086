#include "report/run_comparisons.hpp"

#include <gtest/gtest.h>

#include "report/run_tables.hpp"

namespace orrery {
namespace {

std::vector<Summary> summaries() {
  std::vector<Summary> runs(3);
  runs[0].name = "one";
  runs[1].name = "eight, together";
  runs[2].name = "failed";
  runs[0].npus = 1;
  runs[1].npus = 8;
  runs[0].total = runs[0].rank_0_total = Time::from_ns(1000);
  runs[1].total = Time::from_ns(2500);
  runs[1].rank_0_total = Time::from_ns(2000);  // another NPU ends later
  runs[1].exposed = Time::from_ns(500);
  runs[1].layers.push_back({"conv", Time::from_ns(2000), Time::from_ns(1500), Time::from_ns(500)});
  runs[2].error = "error: no such thing";
  return runs;
}

std::vector<RunRow> compared_runs() {
  std::vector<RunRow> rows;
  for (const Summary& run : summaries()) rows.emplace_back(run);
  return rows;
}

TEST(RunComparisons, AreRatiosOfTimesForTheSameWork) {
  const auto runs = compared_runs();
  const auto value = [&](ComparedQuantity quantity, double work) {
    return compared({1, 0, work, quantity, {}}, runs).value();
  };
  EXPECT_DOUBLE_EQ(value(ComparedQuantity::speedup, 1), 0.4);
  EXPECT_DOUBLE_EQ(value(ComparedQuantity::speedup, 8), 3.2);
  EXPECT_DOUBLE_EQ(value(ComparedQuantity::overhead, 1), 150);
  EXPECT_DOUBLE_EQ(value(ComparedQuantity::overhead, 2), 25);
  EXPECT_DOUBLE_EQ(value(ComparedQuantity::reduction, 4), 37.5);
  EXPECT_FALSE(compared({2, 0, 1, ComparedQuantity::speedup, {}}, runs).has_value());
  EXPECT_FALSE(compared({0, 2, 1, ComparedQuantity::speedup, {}}, runs).has_value());
}

TEST(RunComparisons, BoundsAreKeptOrNot) {
  EXPECT_TRUE(keeps_bound({Relation::below, 1.5}, 1.4));
  EXPECT_FALSE(keeps_bound({Relation::below, 1.5}, 1.5));
  EXPECT_TRUE(keeps_bound({Relation::at_most, 1.5}, 1.5));
  EXPECT_FALSE(keeps_bound({Relation::at_most, 1.5}, 1.6));
  EXPECT_TRUE(keeps_bound({Relation::above, 1.5}, 1.6));
  EXPECT_FALSE(keeps_bound({Relation::above, 1.5}, 1.5));
  EXPECT_TRUE(keeps_bound({Relation::at_least, 1.5}, 1.5));
  EXPECT_FALSE(keeps_bound({Relation::at_least, 1.5}, 1.4));
}

TEST(RunComparisons, StandBesideWhatWasMeasured) {
  const std::vector<RunComparison> comparisons{
      {1, 0, 8, ComparedQuantity::speedup, Measured{Relation::equal, 4}},
      {1, 0, 8, ComparedQuantity::speedup, Measured{Relation::below, 3}},
      {1, 0, 2, ComparedQuantity::overhead, Measured{Relation::equal, 0}},
      {1, 0, 1, ComparedQuantity::speedup, {}},
      {2, 0, 1, ComparedQuantity::speedup, Measured{Relation::equal, 4}}};
  EXPECT_EQ(comparisons_csv(comparisons, compared_runs()),
            "run,baseline,work,quantity,simulated,relation,measured,error_pct,kept\n"
            "\"eight, together\",one,8,speedup,3.2,=,4,-20.000,\n"
            "\"eight, together\",one,8,speedup,3.2,<,3,,no\n"
            "\"eight, together\",one,2,overhead,25,=,0,25.000,\n"
            "\"eight, together\",one,1,speedup,0.4,,,,\n"
            "failed,one,1,speedup,,=,4,,\n");
  EXPECT_EQ(comparisons_table(comparisons, compared_runs()),
            "\nrun              baseline  quantity   simulated   measured\n"
            "eight, together  one       speedup        3.20x         4x  -20.0%\n"
            "eight, together  one       speedup        3.20x       < 3x  not kept\n"
            "eight, together  one       overhead      25.00%         0%  +25.0%\n"
            "eight, together  one       speedup        0.40x\n"
            "failed           one       speedup       failed         4x\n");
  EXPECT_EQ(comparisons_table({}, compared_runs()), "");
}

TEST(RunTables, HaveALinePerRunAndLayer) {
  EXPECT_EQ(runs_csv(summaries()),
            "run,npus,iterations,total_us,compute_us,bubble_us,exposed_us,exposed_share,rank_0_total_us\n"
            "one,1,0,1,0,0,0,0,1\n"
            "\"eight, together\",8,0,2.5,0,0,0.5,0.2,2\n"
            "failed,,,,,,,,\n");
  EXPECT_EQ(layers_csv(summaries()),
            "run,layer,compute_us,communication_us,exposed_us\n"
            "\"eight, together\",conv,2,1.5,0.5\n");
}

}  // namespace
}  // namespace orrery
