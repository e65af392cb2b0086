#include "report/accuracy/measured_errors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace orrery::core::measured_errors_test {
namespace {

constexpr NumberProperty numbers[] = {{"device", 0.7, peak_of_products}, {"gpus", 5}};
constexpr WordProperty words[] = {{"stack", 0.25}, {"scope", 0.5}};
constexpr Properties properties{numbers, words};

RunProperties some_run() {
  return {{std::log(1e15), std::log(64.0)}, {"generic", "node"}};
}

MeasuredError error_of(double log_ratio, std::string source) {
  return {some_run(), log_ratio, std::move(source), ""};
}

TEST(Likeness, is_one_for_equal_runs_and_less_for_others) {
  const RunProperties run = some_run();
  EXPECT_EQ(likeness(properties, run, run), 1);
  for (const auto& change :
       std::vector<void (*)(RunProperties&)>{[](RunProperties& of) { of.logarithms[0] += 0.1; },
                                             [](RunProperties& of) { of.logarithms[1] -= 0.1; },
                                             [](RunProperties& of) { of.words[0] = "other"; },
                                             [](RunProperties& of) { of.words[1] = "across"; }}) {
    RunProperties other = run;
    change(other);
    EXPECT_LT(likeness(properties, run, other), 1);
    EXPECT_GT(likeness(properties, run, other), 0);
    EXPECT_EQ(likeness(properties, run, other), likeness(properties, other, run));
  }
}

TEST(MeasuredErrors, hold_the_share_that_is_asked_for_where_many_runs_are_alike) {
  std::vector<MeasuredError> errors;
  for (int i = 0; i <= 1000; ++i) errors.push_back(error_of(i * 1e-4, std::to_string(i)));
  const ErrorInterval interval = MeasuredErrors(properties, errors).interval_for(some_run(), 0.8);
  EXPECT_NEAR(std::log(interval.high), 0.09, 0.001);
  EXPECT_EQ(interval.low, 1);  // the prediction is in the interval, although all measured times are longer
  EXPECT_EQ(interval.share, 0.8);
}

TEST(MeasuredErrors, say_little_of_a_run_that_is_like_none) {
  std::vector<MeasuredError> errors;
  for (int i = 0; i < 30; ++i) errors.push_back(error_of(0.01, std::to_string(i)));
  const MeasuredErrors measured(properties, errors);
  const RunProperties other{{std::log(3e16), std::log(1e5)}, {"another", "across"}};
  const ErrorInterval near = measured.interval_for(some_run(), 0.8), far = measured.interval_for(other, 0.8);
  EXPECT_LT(near.high / near.low, 1.1);
  EXPECT_GT(far.high / far.low, 2);
}

TEST(MeasuredErrors, of_no_runs_make_the_widest_interval) {
  const ErrorInterval interval = MeasuredErrors(properties, {}).interval_for(some_run(), 0.8);
  EXPECT_NEAR(interval.high, std::exp(0.4), 1e-12);
  EXPECT_NEAR(interval.low, std::exp(-0.4), 1e-12);
  EXPECT_NEAR(interval.between_layouts, std::exp(0.4), 1e-12);
}

TEST(MeasuredErrors, of_one_source_count_less_than_those_of_many) {
  std::vector<MeasuredError> errors;
  for (int i = 0; i < 100; ++i) errors.push_back(error_of(0.3, "one"));
  const double one = MeasuredErrors(properties, errors).weights_for(some_run())[0];
  errors[0].source = "another";
  const std::vector<double> weights = MeasuredErrors(properties, errors).weights_for(some_run());
  EXPECT_NEAR(one, 0.1, 1e-12);
  EXPECT_EQ(*std::ranges::max_element(weights), 1);
}

TEST(MeasuredErrors, tell_layouts_of_the_same_software_apart_that_share_an_error) {
  std::vector<MeasuredError> errors;
  for (int source = 0; source < 40; ++source)
    for (int i = -1; i <= 1; ++i)
      errors.push_back(error_of((source - 20) * 0.01 + i * 0.01, std::to_string(source)));
  const ErrorInterval interval = MeasuredErrors(properties, errors).interval_for(some_run(), 0.8);
  EXPECT_NEAR(std::log(interval.between_layouts), 0.01, 1e-9);
  EXPECT_TRUE(is_tie(1.05, interval, interval, false));
  EXPECT_FALSE(is_tie(1.05, interval, interval, true));
  EXPECT_TRUE(is_tie(1.01, interval, interval, true));
  EXPECT_TRUE(is_tie(1 / 1.01, interval, interval, true));
}

TEST(MeasuredErrors, are_refused_at_their_place) {
  const std::string title = "device,gpus,stack,scope,log_ratio,source,id\n";
  for (const auto& [row, place] : {std::pair("h1000,8,generic,node,0.1,a,b\n", "errors.csv:2:1"),
                                   std::pair("h100,-8,generic,node,0.1,a,b\n", "errors.csv:2:6"),
                                   std::pair("h100,8,generic,node,far,a,b\n", "errors.csv:2:21")}) {
    try {
      read_measured_errors(properties, title + row, "errors.csv");
      ADD_FAILURE() << row;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
    }
  }
}

TEST(MeasuredErrors, read_what_a_device_can_do) {
  const MeasuredErrors errors = read_measured_errors(
      properties, "device,gpus,stack,scope,log_ratio,source,id\nh100,8,generic,node,0.125,a,b\n",
      "errors.csv");
  ASSERT_EQ(errors.all().size(), 1U);
  const MeasuredError& error = errors.all()[0];
  EXPECT_NEAR(std::exp(error.of.logarithms[0]), 989.4e12, 1e9);
  EXPECT_NEAR(std::exp(error.of.logarithms[1]), 8, 1e-9);
  EXPECT_EQ(error.log_ratio, 0.125);
  EXPECT_EQ(error.source, "a");
}

}  // namespace
}  // namespace orrery::core::measured_errors_test
