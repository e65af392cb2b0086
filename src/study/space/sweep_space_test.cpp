#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/input/input_node.hpp"
#include "study/space/sweep_points.hpp"
#include "study/space/swept_document.hpp"
#include "study/space/yaml_sweep.hpp"

namespace orrery::core {
namespace {

SweepSpace space_of(const std::string& text) {
  return read_yaml_sweep(parse_yaml(text, "sweep.yaml"));
}

// Returns the names of all runs, in their order.
std::vector<std::string> runs_of(const std::string& text) {
  const SweepSpace space = space_of(text);
  const SweepPoints points(space);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < points.size(); ++i) names.push_back(name_of_point(space, points.at(i)));
  return names;
}

std::string error_of(const std::string& text) {
  try {
    runs_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

using Names = std::vector<std::string>;

TEST(SweepSpace, AGridHasEveryCombinationAndTheLastKeyVariesFastest) {
  EXPECT_EQ(runs_of("grid: { a.x: [1, 2], a.y: [p, q] }"),
            (Names{"x=1_y=p", "x=1_y=q", "x=2_y=p", "x=2_y=q"}));
}

TEST(SweepSpace, KeysOfAZipVaryTogetherAndSlowest) {
  EXPECT_EQ(runs_of("{ grid: { c: [7, 8] }, zip: { a: [1, 2], b: [x, y] } }"),
            (Names{"a=1_b=x_c=7", "a=1_b=x_c=8", "a=2_b=y_c=7", "a=2_b=y_c=8"}));
}

TEST(SweepSpace, RowsOfAZipMayShareValues) {
  EXPECT_EQ(runs_of("zip: { a: [1, 1, 2], b: [x, y, y] }"), (Names{"a=1_b=x", "a=1_b=y", "a=2_b=y"}));
  EXPECT_EQ(
      error_of("{ zip: { a: [1, 2, 1], b: [x, y, x] } }"),
      "sweep.yaml:1:8: error: the rows of a `zip` have to differ, but row 3 is as one before it; leave it "
      "out");
}

TEST(SweepSpace, ConditionsKnowKeysThatDoNotVary) {
  SweepSpace space = read_yaml_sweep(parse_yaml("grid: { p.tensor: [1, 2, 4] }", "sweep.yaml"));
  space.fixed = {{"p.data", "8"}, {"link.bandwidth", "50 GB/s"}, {"model", "it's"}};
  const auto holds = [&](const std::string& text) {
    PointCondition condition(space, {text, {"here"}});
    std::string met;
    for (std::size_t run = 0; run < 3; ++run)
      if (condition.holds(SweepPoints(space).at(run))) met += std::to_string(run);
    return met;
  };
  EXPECT_EQ(holds("tensor * data == 16"), "1");
  EXPECT_EQ(holds("tensor > 1 and bandwidth >= 25 GB/s"), "12");
  EXPECT_EQ(holds("p.tensor < 4 and model == \"it's\""), "01");
  EXPECT_THROW(holds("tensor * context == 2"), InputError);
}

TEST(SweepSpace, NothingLeavesAKeyOut) {
  EXPECT_EQ(runs_of("grid: { a: [~, 8], b: [~, x] }"), (Names{"usual", "b=x", "a=8", "a=8_b=x"}));
}

TEST(SweepSpace, RangesHaveStepsAndFactors) {
  EXPECT_EQ(runs_of("grid: { b: { from: 25 GB/s, to: 100 GB/s, step: 25 GB/s } }"),
            (Names{"b=25GBps", "b=50GBps", "b=75GBps", "b=100GBps"}));
  EXPECT_EQ(runs_of("grid: { b: { from: 1, to: 9, factor: 2 } }"), (Names{"b=1", "b=2", "b=4", "b=8"}));
  EXPECT_EQ(runs_of("grid: { b: { from: 0.1, to: 0.3, step: 0.1 } }"), (Names{"b=0.1", "b=0.2", "b=0.3"}));
}

TEST(SweepSpace, KeysAreCalledByWhatTellsThemApart) {
  EXPECT_EQ(runs_of("grid: { p.inside.bandwidth: [1], p.between.bandwidth: [2], p.tensor: [3] }"),
            (Names{"inside.bandwidth=1_between.bandwidth=2_tensor=3"}));
}

TEST(SweepSpace, ConditionsAreOverKeysTextsAndQuantities) {
  EXPECT_EQ(runs_of("{ grid: { t: [1, 2, 4], d: [1, 2, 4] }, where: t * d == 4 }"),
            (Names{"t=1_d=4", "t=2_d=2", "t=4_d=1"}));
  EXPECT_EQ(
      runs_of("{ grid: { p.b: [25 GB/s, 400 Gb/s], w: [x, y] }, where: ['p.b >= 50 GB/s', 'w == \"y\"'] }"),
      (Names{"b=400Gbps_w=y"}));
}

TEST(SweepSpace, ColumnsAreNumbersWhereAllValuesAreInTheUnitOfTheirTitle) {
  const SweepSpace space = space_of("grid: { b: [25 GB/s, 400 Gb/s], n: [1, 2], r: [1, 2.5], w: [1, x] }");
  EXPECT_EQ(space.keys[0].column.title, "b_gb_per_second");
  EXPECT_EQ(space.axes[0].values[0].at(1)->plain, PlainValue(50.0));
  EXPECT_EQ(space.axes[1].values[0].at(1)->plain, PlainValue(std::int64_t{2}));
  EXPECT_EQ(space.axes[2].values[0].at(0)->plain, PlainValue(1.0));
  EXPECT_EQ(space.axes[3].values[0].at(0)->plain, PlainValue(std::string("1")));
}

TEST(SweepSpace, RandomSamplesAreDifferentMeetConditionsAndDependOnTheSeed) {
  const std::string grid = "grid: { a: { from: 1, to: 100, step: 1 }, b: { from: 1, to: 100, step: 1 } }";
  const auto sample = [&](int seed) {
    return runs_of("{ " + grid + ", where: a < b, sample: { runs: 500, seed: " + std::to_string(seed) +
                   " } }");
  };
  const Names runs = sample(1);
  EXPECT_EQ(runs, sample(1));
  EXPECT_NE(runs, sample(2));
  EXPECT_EQ(std::set<std::string>(runs.begin(), runs.end()).size(), 500u);
}

TEST(SweepSpace, ALatinHypercubeHasEachPartOfEachKeyOnce) {
  const SweepSpace space = space_of(
      "{ grid: { a: { from: 0.0, to: 1.0 }, b: { from: 1, to: 10, step: 1 } }, "
      "sample: { method: latin-hypercube, runs: 10, seed: 3 } }");
  const SweepPoints points(space);
  std::set<int> parts;
  std::set<std::string> values;
  for (std::size_t i = 0; i < points.size(); ++i) {
    parts.insert(static_cast<int>(std::get<double>(points.at(i).values[0]->plain) * 10));
    values.insert(points.at(i).values[1]->text);
  }
  EXPECT_EQ(parts.size(), 10u);
  EXPECT_EQ(values.size(), 10u);
}

TEST(SweepSpace, RangesOfWholeNumbersAreDrawnAsSuch) {
  const SweepSpace space = space_of("{ grid: { a: { from: 1, to: 4 } }, sample: { runs: 4 } }");
  const SweepPoints points(space);
  std::set<std::string> values;
  for (std::size_t i = 0; i < points.size(); ++i) values.insert(points.at(i).values[0]->text);
  EXPECT_EQ(values, (std::set<std::string>{"1", "2", "3", "4"}));
}

TEST(SweepSpace, LogarithmicRangesHaveAsManyValuesInEachFactor) {
  const SweepSpace space =
      space_of("{ grid: { a: { from: 1.0, to: 100.0, scale: log } }, sample: { runs: 1000 } }");
  const SweepPoints points(space);
  int below_ten = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    below_ten += std::get<double>(points.at(i).values[0]->plain) < 10;
  EXPECT_NEAR(below_ten, 500, 60);
}

TEST(SweepSpace, LabelsOfValuesDiffer) {
  EXPECT_EQ(runs_of("grid: { n: [nets/a.yml, nets/b.yml] }"), (Names{"n=a", "n=b"}));
  EXPECT_EQ(runs_of("grid: { n: [x/a.yml, y/a.yml] }"), (Names{"n=a", "n=a-2"}));
  EXPECT_EQ(runs_of("grid: { n: [[{ s: 1 }], { name: fat }, [1, 2]] }"),
            (Names{"n=value1", "n=fat", "n=[1-2]"}));
}

TEST(SweepSpace, RefusesWhatIsWrongAtItsPlace) {
  EXPECT_EQ(error_of("grid: { a: [1, 1] }"),
            "sweep.yaml:1:16: error: `a` has the value `1` twice; leave one out");
  EXPECT_EQ(
      error_of("{ zip: { a: [1, 2], b: [1] } }"),
      "sweep.yaml:1:21: error: `a` has 2 values and `b` has 1, but those of a `zip` belong together; give "
      "them equally many");
  EXPECT_EQ(error_of("{ grid: { a: [1, 2] }, where: a > 2 }"),
            "sweep.yaml:1:1: error: no combination of its values meets the conditions; loosen one");
  EXPECT_EQ(
      error_of("{ grid: { a: [1, 2] }, where: b > 2 }"),
      "sweep.yaml:1:31: error: `b > 2` has no value called `b`; there is `a`, and texts stand in quotes");
  EXPECT_EQ(error_of("{ grid: { a: [1, 2] }, sample: { runs: 3 } }").substr(0, 45),
            "sweep.yaml:1:1: error: only 2 different combi");
  EXPECT_NE(error_of("grid: { a: { from: 1, to: 2 } }").find("give it one of these, or the sweep a `sample`"),
            std::string::npos);
  EXPECT_NE(
      error_of("grid: { a: { from: 1 GB, to: 2 MB, factor: 2 } }").find("has to have the unit of `from`"),
      std::string::npos);
  EXPECT_NE(error_of("{}").find("varies nothing"), std::string::npos);
  EXPECT_NE(error_of("grid: { name: [a, b] }").find("no key that runs can differ in"), std::string::npos);
  EXPECT_NE(error_of("grid: { a: [1], a.b: [1], c: { from: 1, to: 1e9, step: 1 } }").find("at most"),
            std::string::npos);
}

TEST(SweepSpace, TooManyCombinationsNeedASample) {
  const std::string axis = ": { from: 1, to: 1000, step: 1 }";
  EXPECT_NE(error_of("grid: { a" + axis + ", b" + axis + ", c" + axis + " }").find("give it a `sample`"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::core
