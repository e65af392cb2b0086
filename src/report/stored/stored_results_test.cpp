#include "report/stored/stored_results.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::stored_results_test {
namespace {

namespace fs = std::filesystem;

// An experiment `e` of two runs, of which the first has a table of its links.
class Stored : public testing::Test {
 protected:
  Stored() {
    write("e/summary.json", R"({"experiment": "e", "origin": {"overrides": []}, "runs": [
                                {"name": "a", "total_us": 1}, {"name": "b", "total_us": 2}]})");
    write("e/runs.csv", "run,total_us\na,1.0\nb,2.0\n");
    write("e/a/links.csv", "from,to,dimension,utilization,links,busy_ns\nx,y,0,0.5,2,7\n");
  }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    write_file_atomically(path(name), text);
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  static std::string error_of(const auto& action) {
    try {
      action();
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(Stored, RunsAreThoseOfTheSummary) {
  for (const std::string name : {"e", "e/", "e/summary.json"}) {
    const std::vector<StoredRun> runs = find_stored_runs(path(name), InputLog());
    ASSERT_EQ(runs.size(), 2u) << name;
    EXPECT_EQ(runs[1].run, "b");
    ASSERT_EQ(runs[0].links.size(), 1u);
    EXPECT_EQ(runs[0].links[0].to, "y");
    EXPECT_EQ(runs[0].links[0].busy, Time::from_ns(7));
    EXPECT_TRUE(runs[1].links.empty());
  }
  EXPECT_TRUE(StoredResults(path("e"), InputLog()).runs()[0].links.empty());
}

TEST_F(Stored, RunIsFoundByItsFolder) {
  const std::vector<StoredRun> runs = find_stored_runs(path("e/a"), InputLog());
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].run, "a");
  EXPECT_EQ(runs[0].links.size(), 1u);
}

TEST_F(Stored, TablesAreThoseOfTheFolderAndOfItsRuns) {
  const InputLog inputs(InputLog::Holds::paths);
  const ResultSet set = StoredResults(path("e"), inputs).tables();
  EXPECT_EQ(set.name, "e");
  ASSERT_EQ(set.tables.size(), 2u);
  EXPECT_EQ(set.tables[0].name, "runs");
  EXPECT_EQ(set.tables[1].name, "links");
  EXPECT_EQ(set.tables[1].run, "a");
  EXPECT_EQ(inputs.paths(), (std::vector{path("e/runs.csv"), path("e/summary.json"), path("e/a/links.csv")}));
}

TEST_F(Stored, ResultsThatAreNotThereAreRefused) {
  fs::create_directory(path("empty"));
  for (const std::string name : {"empty", "none", "e/none"})
    EXPECT_EQ(error_of([&] { find_stored_runs(path(name), InputLog()); }),
              path(name) +
                  ": error: holds no results; name a folder with a summary.json, such as "
                  "results/<experiment>, or the folder of one of its runs");
  EXPECT_EQ(error_of([&] { StoredResults(path("none"), InputLog()).tables(); }),
            path("none") +
                ": error: there is no such folder, name one that `orrery run` has written, or an experiment");
  EXPECT_EQ(error_of([&] { StoredResults(path("empty"), InputLog()).tables(); }),
            path("empty") + ": error: no results are in this folder, name one that `orrery run` has written");
}

TEST_F(Stored, LinksWithoutAColumnAreRefused) {
  write("e/a/links.csv", "from,to,dimension,utilization,links\nx,y,0,0.5,2\n");
  EXPECT_EQ(error_of([&] { find_stored_runs(path("e"), InputLog()); }),
            path("e/a/links.csv") + ": error: lacks the column `busy_ns`; simulate the run again");
}

}  // namespace
}  // namespace orrery::core::stored_results_test
