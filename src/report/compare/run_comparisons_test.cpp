#include "report/compare/run_comparisons.hpp"

#include <gtest/gtest.h>

#include "report/summary/run_tables.hpp"

namespace orrery::core::run_comparisons_test {
namespace {

std::vector<Summary> summaries() {
  std::vector<Summary> runs(3);
  runs[0].name = "one";
  runs[1].name = "eight, together";
  runs[2].name = "failed";
  runs[0].npus = 1;
  runs[0].network_cost = 42;
  runs[1].npus = 8;
  runs[0].total = runs[0].rank_0_total = Time::from_ns(1000);
  runs[1].total = Time::from_ns(2500);
  runs[1].work = "eight times as much";
  runs[1].rank_0_total = Time::from_ns(2000);  // another NPU ends later
  runs[1].time.exposed = Time::from_ns(500);
  runs[1].layers.push_back({"conv", Time::from_ns(2000), Time::from_ns(1500), Time::from_ns(500)});
  runs[2].error = "error: no such thing";
  return runs;
}

std::vector<RunRow> compared_runs() {
  RunRows rows;
  for (const Summary& run : summaries()) rows.add(run);
  return rows.all();
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
  EXPECT_EQ(csv_text(comparisons_rows(comparisons, compared_runs())),
            "run,baseline,work,quantity,simulated,relation,measured,error_pct,kept\n"
            "\"eight, together\",one,8,speedup,3.2,=,4,-20.000,\n"
            "\"eight, together\",one,8,speedup,3.2,<,3,,no\n"
            "\"eight, together\",one,2,overhead,25,=,0,25.000,\n"
            "\"eight, together\",one,1,speedup,0.4,,,,\n"
            "failed,one,1,speedup,,=,4,,\n");
  EXPECT_EQ(comparisons_table(comparisons, compared_runs()),
            "\nrun              baseline  quantity  simulated  measured  error\n"
            "eight, together  one       speedup   3.20x      4x        -20.0%\n"
            "eight, together  one       speedup   3.20x      < 3x      not kept\n"
            "eight, together  one       overhead  25.00%     0%        +25.0%\n"
            "eight, together  one       speedup   0.40x\n"
            "failed           one       speedup   failed     4x\n");
  EXPECT_EQ(comparisons_table({}, compared_runs()), "");
}

TEST(RunTables, HaveALinePerRunAndLayer) {
  std::string runs = runs_csv_title({}), layers = csv_title(layer_table) + '\n';
  RunRows rows;
  for (const Summary& run : summaries()) {
    runs += runs_csv_line(rows.add(run));
    layers += csv_lines_of(layer_table, layer_rows(run));
  }
  EXPECT_EQ(runs,
            "run,status,reason,work,npus,iterations,total_us,compute_us,host_us,remote_memory_us,"
            "update_us,contention_us,bubble_us,exposed_us,idle_us,forward_us,backward_us,"
            "weight_update_us,evaluation_us,exposed_share,device_utilization,rank_0_total_us,step_us,"
            "step_low_us,step_high_us,speedup,tie,hash_seeds,hash_mean_us,hash_least_us,hash_most_us,"
            "epoch_s,steps_per_s,mean_staleness,time_to_accuracy_s,tokens_per_second,"
            "tokens_per_second_low,tokens_per_second_high,model_flop_utilization,"
            "model_flop_utilization_low,model_flop_utilization_high,hardware_flop_utilization,"
            "memory_bytes,memory_low_bytes,memory_high_bytes,memory_before_training_bytes,"
            "memory_of_others_bytes,network_cost_usd,busiest_link,link_utilization\n"
            "one,ok,,,1,0,1,0,0,0,0,0,0,0,0,,,,,0,0,1,1,,,1,,,,,,,,,,,,,,,,,,,,,,42,,\n"
            "\"eight, together\",ok,,eight times as much,8,0,2.5,0,0,0,0,0,0,0.5,0,,,,,0.2,0,2,2.5,,,1,"
            ",,,,,,,,,,,,,,,,,,,,,,,\n"
            "failed,failed,error: no such thing,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n");
  EXPECT_EQ(layers,
            "run,layer,compute_us,communication_us,exposed_us\n"
            "\"eight, together\",conv,2,1.5,0.5\n");
}

TEST(RunTables, EveryRunIsComparedWithTheFirstOfItsWork) {
  Summary run;
  run.name = "a";
  run.iterations = 2;
  run.total = Time::from_ns(1000);
  run.work = "a model";
  RunRows rows;
  EXPECT_EQ(rows.add(run).speedup, 1);
  run.iterations = 1;  // 1000 ns a step in place of 500
  EXPECT_EQ(rows.add(run).speedup, 0.5);
  run.work = "another model";
  EXPECT_EQ(rows.add(run).speedup, 1);
  Summary failure;
  failure.error = "no";
  EXPECT_FALSE(rows.add(failure).speedup.has_value());
}

TEST(RunTables, TransformersAreComparedByTokens) {
  Summary run;
  run.iterations = 1;
  run.total = Time::from_ns(1000);
  run.training.emplace().model = "GPT";
  run.training->tokens_per_second = 100;
  run.training->memory = 0x1p30;
  RunRows rows;
  rows.add(run);
  run.training->tokens_per_second = 250;  // of a larger batch
  const RunRow& row = rows.add(run);
  EXPECT_EQ(row.speedup, 2.5);
  EXPECT_NE(runs_csv_line(row).find(",250,,,0,,,0,1073741824,"), std::string::npos) << runs_csv_line(row);
}

TEST(RunTables, WhatDiffersStandsBehindTheOtherColumns) {
  RunRows rows;
  std::vector<Summary> runs = summaries();
  runs[0].varied = {{"passes", "2"}, {"network", "a, b"}};
  runs[2].varied = {{"passes", "3"}, {"network", ""}};
  EXPECT_TRUE(runs_csv_title({"passes", "network"}).ends_with(",link_utilization,passes,network\n"));
  EXPECT_TRUE(runs_csv_line(rows.add(runs[0])).ends_with(",,2,\"a, b\"\n"));
  EXPECT_TRUE(runs_csv_line(rows.add(runs[2])).ends_with(",,3,\n"));
}

TEST(RunTables, QuantitiesAreNumbersInTheUnitOfTheirColumn) {
  const VariedColumns varied({"latency", "size", "bandwidth", "peak", "clock", "chunks", "either", "words"},
                             {{"500 ns", "2 KiB", "400 Gbit/s", "2 TFLOP/s", "1 GHz", "8", "1 us", "ring"},
                              {"2 us", "", "25 GB/s", "1 PFLOP/s", "1.5 GHz", "16", "auto", "direct"}});
  EXPECT_EQ(varied.titles(),
            (std::vector<std::string>{"latency_us", "size_bytes", "bandwidth_gb_per_second",
                                      "peak_flop_per_second", "clock_hz", "chunks", "either", "words"}));
  Summary run;
  run.varied = {{"latency", "500 ns"}, {"size", ""},    {"bandwidth", "400 Gbit/s"}, {"peak", "2 TFLOP/s"},
                {"clock", "1 GHz"},    {"chunks", "8"}, {"either", "1 us"},          {"words", "ring"}};
  const std::string line = runs_csv_line(RunRow(run), varied);
  EXPECT_TRUE(line.ends_with(",0.5,,50,2e+12,1e+09,8,1 us,ring\n") ||
              line.ends_with(",0.5,,50,2000000000000,1000000000,8,1 us,ring\n"))
      << line;
}

}  // namespace
}  // namespace orrery::core::run_comparisons_test
