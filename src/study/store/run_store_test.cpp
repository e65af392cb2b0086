#include "study/store/run_store.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/input/input_node.hpp"
#include "report/summary/run_tables.hpp"
#include "study/space/sweep_points.hpp"
#include "study/space/yaml_sweep.hpp"
#include "study/store/stored_study.hpp"
#include "support/cases.hpp"

namespace orrery::core {
namespace {

using test::TemporaryFolder;

// Lets no file of this process grow beyond so many bytes, as a disk that is full does.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

// A store of a sweep over ten values, and runs for it.
class StoreTest : public testing::Test {
 protected:
  std::string path() const { return (folder_.path() / "a.sqlite").string(); }
  std::unique_ptr<RunStore> open(const std::string& sweep = "s",
                                 RunStore::Sharing sharing = RunStore::Sharing::by_file_system) const {
    return std::make_unique<RunStore>(path(), StudyFacts{"a", "{}", "[]", sweep}, space_,
                                      folder_.path().string(), sharing);
  }

  PlacedPoint placed(std::size_t number) const {
    const SweepPoint point = points_.at(number);
    return {point, number, "run-" + std::to_string(number), "key" + point.values[0]->text};
  }
  EndedPoint ended(std::size_t number, const std::string& error = "") const {
    Summary summary;
    summary.name = placed(number).name;
    summary.error = error;
    summary.total = Time::from_ps(static_cast<std::int64_t>(number + 1) * 1'000'000);
    EndedPoint run;
    run.placed = placed(number);
    run.results = result_values(RunRow(summary));
    run.inputs = "{}";
    run.seconds = 0.5;
    run.sign();
    return run;
  }

  std::vector<PlacedPoint> all() const {
    std::vector<PlacedPoint> points;
    for (std::size_t i = 0; i < points_.size(); ++i) points.push_back(placed(i));
    return points;
  }

  const TemporaryFolder folder_;
  const SweepSpace space_ =
      read_yaml_sweep(parse_yaml("grid: { x: { from: 1, to: 10, step: 1 } }", "sweep.yaml"));
  const SweepPoints points_{space_};
};

TEST_F(StoreTest, HasWhatWasAddedAndNothingElse) {
  open()->add({ended(3), ended(4, "it failed")});
  const auto store = open();
  EXPECT_EQ(store->missing(all(), {}).size(), 8u);
  EXPECT_EQ(store->missing(all(), {.failed = false}).size(), 9u);
}

TEST_F(StoreTest, RowsHaveKeysResultsAndFacts) {
  open()->add({ended(3), ended(4, "it failed")});
  StoredStudy study(path());
  Statement rows =
      study.query("SELECT run, status, reason, x, total_us, seconds, number FROM runs ORDER BY number");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.text(0), "run-3");
  EXPECT_EQ(rows.text(1), "ok");
  EXPECT_EQ(rows.integer(3), 4);
  EXPECT_EQ(rows.real(4), 4.0);
  EXPECT_EQ(rows.real(5), 0.5);
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.text(1), "failed");
  EXPECT_EQ(rows.text(2), "it failed");
  EXPECT_TRUE(rows.is_null(4));
}

TEST_F(StoreTest, ClaimsAreOfOneProcessUntilItEnds) {
  auto one = open();
  const auto other = open();
  const auto first = one->claim(10, 4);
  const auto second = other->claim(10, 4);
  const auto third = one->claim(10, 4);
  ASSERT_TRUE(first && second && third);
  EXPECT_EQ(first->begin, 0u);
  EXPECT_EQ(second->begin, 4u);
  EXPECT_EQ(third->begin, 8u);
  EXPECT_EQ(third->end, 10u);
  EXPECT_FALSE(other->claim(10, 4));
  EXPECT_TRUE(other->others_are_at_work());
  one.reset();
  EXPECT_FALSE(other->others_are_at_work());
  const auto again = other->claim(10, 100);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->begin, 0u);
  EXPECT_EQ(again->end, 4u);
}

TEST_F(StoreTest, AnotherSweepTakesOverWhatItHasInCommon) {
  open()->add({ended(3), ended(4)});
  {
    const auto store = open("t");
    EXPECT_EQ(store->missing({placed(3)}, {}).size(), 0u);
  }
  StoredStudy study(path());
  EXPECT_EQ(study.count({}), 1u);
  RunSelection all;
  all.of_earlier_sweeps = true;
  EXPECT_EQ(study.count(all), 2u);
}

TEST_F(StoreTest, AnotherSweepWaitsForTheOneAtWork) {
  const auto store = open();
  (void)store->claim(10, 4);
  EXPECT_THROW((void)open("t"), InputError);
}

TEST_F(StoreTest, AStoreThatOneProcessHasAloneIsRefusedToOthers) {
  const auto store = open("s", RunStore::Sharing::alone);
  store->add({ended(1)});
  EXPECT_THROW((void)open("s", RunStore::Sharing::alone), FileInUse);
}

TEST_F(StoreTest, ARunWhoseFileHasChangedIsSimulatedAgain) {
  const std::string file = (folder_.path() / "network.yml").string();
  std::ofstream(file) << "one";
  {
    const auto store = open();
    EndedPoint run = ended(3);
    run.inputs = store->inputs().listed({file});
    store->add({run});
  }
  EXPECT_TRUE(open()->missing({placed(3)}, {}).empty());
  std::ofstream(file) << "two";
  EXPECT_EQ(open()->missing({placed(3)}, {}).size(), 1u);
  std::filesystem::remove(file);
  EXPECT_EQ(open()->missing({placed(3)}, {}).size(), 1u);
}

TEST_F(StoreTest, ARunOfAnotherVersionIsSimulatedAgainUnlessTheUserKeepsIt) {
  open()->add({ended(3)});
  Database(path(), DatabaseUse::write).execute("UPDATE runs SET version = '0.0.1 (old)'");
  EXPECT_EQ(open()->missing({placed(3)}, {}).size(), 1u);
  EXPECT_TRUE(open()->missing({placed(3)}, {.any_version = true}).empty());
}

TEST_F(StoreTest, NothingOfABatchIsKeptWhereTheDiskIsFull) {
  {
    const auto store = open();
    store->add({ended(1)});
    std::vector<EndedPoint> many;
    for (int i = 0; i < 2; ++i) many.push_back(ended(2));
    many.push_back(ended(3));
    many.back().warnings = std::string(3'000'000, 'w');
    const FileSizeLimit limit(1 << 20);
    EXPECT_THROW(store->add(many), InputError);
  }
  StoredStudy study(path());
  EXPECT_EQ(study.count({}), 1u);
  Statement check = study.query("SELECT count(*) FROM runs");
  EXPECT_TRUE(check.step());
}

TEST_F(StoreTest, OtherFilesAreRefused) {
  std::ofstream(path()) << std::string(5000, 'x');
  EXPECT_THROW((void)open(), InputError);
  EXPECT_THROW(StoredStudy{path()}, InputError);
  std::filesystem::remove(path());
  Database(path(), DatabaseUse::write).execute("CREATE TABLE other (a)");
  EXPECT_THROW((void)open(), InputError);
  EXPECT_THROW(StoredStudy{path()}, InputError);
}

TEST_F(StoreTest, ConditionsOrdersAndReasonsOfAStudy) {
  open()->add({ended(1), ended(2), ended(3, "needs 81.5 GB"), ended(4, "needs 90 GB"), ended(5, "other")});
  StoredStudy study(path());
  RunSelection selection;
  selection.where = "x >= 2 and total_us < 3.5 us";
  selection.sort = "total_us desc";
  const TypedTable table = study.table({*study.find("run"), *study.find("total_us")}, selection);
  ASSERT_EQ(table.rows, 2u);
  EXPECT_EQ(table.columns[0].text(0), "run-2");
  const auto reasons = study.reasons(5);
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[0].text, "needs 81.5 GB");
  EXPECT_EQ(reasons[0].runs, 2u);
  selection.where = "tensr == 1";
  EXPECT_THROW((void)study.count(selection), InputError);
}

TEST_F(StoreTest, MergedStoresHaveTheRunsOfAll) {
  open()->add({ended(1), ended(2)});
  const std::string part = (folder_.path() / "part.sqlite").string(),
                    whole = (folder_.path() / "w.sqlite").string();
  std::filesystem::rename(path(), part);
  open()->add({ended(2), ended(7)});
  EXPECT_EQ(merge_stores(whole, {part, path()}), 3u);
  EXPECT_EQ(merge_stores(whole, {part}), 3u);
  const std::string begun = (folder_.path() / "begun.sqlite").string();
  std::ofstream(begun) << "";
  EXPECT_TRUE(is_hardly_begun(begun));
  EXPECT_FALSE(is_hardly_begun(part));
  EXPECT_EQ(merge_stores(whole, {begun, part}), 3u);
  EXPECT_THROW((void)merge_stores(whole, {begun}), InputError);
  std::filesystem::remove(path());
  open("another")->add({ended(1)});
  EXPECT_THROW((void)merge_stores(whole, {part, path()}), InputError);
}

}  // namespace
}  // namespace orrery::core
