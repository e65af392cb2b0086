// The page about results: what stands in it, and that it holds nothing else. What it shows is tested in
// tests/web and, in a browser, in tests/browser.
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::report_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* experiment = R"(
name: small
network: [ { topology: ring, size: 4, links: 2, bandwidth: 10 GB/s, latency: 100 ns } ]
workload:
  layers: [ { name: "</script><b>", weight-gradient: { compute: 10 us, collective: all-reduce, size: 1 MB } } ]
runs: [ { name: one }, { name: two, compute-scale: 2 } ]
)";

class Report : public testing::Test {
 protected:
  void SetUp() override {
    fs::current_path(scratch_.path());
    write_file_atomically("small.yaml", experiment);
  }
  void TearDown() override { fs::current_path(before_); }

 private:
  TemporaryFolder scratch_;
  fs::path before_ = fs::current_path();
};

// The tables of the page, as its script unpacks them.
Json tables_in(const std::string& page) {
  const std::string before = R"(id="tables">)";
  const std::size_t begin = page.find(before) + before.size();
  const std::string text = page.substr(begin, page.find('<', begin) - begin);
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  for (std::size_t i = 0, bits = 0; i < text.size() && text[i] != '='; ++i) {
    bits = bits << 6 | digits.find(text[i]);
    if (i % 4 != 0) bytes += static_cast<char>(bits >> (6 - 2 * (i % 4)) & 0xff);
  }
  std::string json(1 << 20, '\0');
  uLongf size = static_cast<uLongf>(json.size());
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(json.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size())),
            Z_OK);
  json.resize(size);
  return Json::parse(json);
}

Json table_of(const Json& set, const std::string& name, const std::string& run) {
  for (const Json& table : set["tables"])
    if (table["name"] == name && table["run"] == run) return table;
  return {};
}

TEST_F(Report, OfAnExperimentHoldsTheTablesOfItsRuns) {
  const Outcome outcome = call_orrery({"report", "small.yaml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_TRUE(outcome.output.ends_with("report: results/small/report.html\n"));
  const Json page = tables_in(read_file_of_any_kind("results/small/report.html"));
  ASSERT_EQ(page["sets"].size(), 1u);
  const Json& set = page["sets"][0];
  EXPECT_EQ(set["name"], "small");
  EXPECT_EQ(set["origin"]["command"], (Json{"report", "small.yaml"}));
  EXPECT_EQ(table_of(set, "runs", "")["columns"][0]["words"], (Json{"one", "two"}));
  EXPECT_EQ(table_of(set, "layers", "")["columns"][1]["words"], Json{"</script><b>"});
  EXPECT_EQ(table_of(set, "timeline", "two")["columns"][1]["words"], (Json{"compute", "collective"}));
  EXPECT_FALSE(table_of(set, "EndToEnd", "one").is_null());
  EXPECT_EQ(table_of(set, "varied", "")["columns"][1]["name"], "compute-scale");
}

TEST_F(Report, CellsThatRepeatStandOnce) {
  fs::create_directory("folder");
  std::string rows = "part,start_us,message\n";
  for (int i = 0; i < 9; ++i) rows += "all," + std::to_string(10 * i) + (i == 6 ? ",7\n" : ",\n");
  write_file_atomically("folder/timeline.csv", rows);
  ASSERT_EQ(call_orrery({"report", "folder"}).exit_code, 0);
  const Json columns =
      tables_in(read_file_of_any_kind("folder/report.html"))["sets"][0]["tables"][0]["columns"];
  EXPECT_EQ(columns[0]["places"], Json::parse("[0,[8]]"));
  EXPECT_EQ(columns[1]["differences"], Json::parse("[0,10000000,[7]]"));
  EXPECT_EQ(columns[2]["differences"], Json::parse("[null,[5],7000000,null,null]"));
}

TEST_F(Report, NeedsNoNetworkAndTakesNoMarkupFromResults) {
  ASSERT_EQ(call_orrery({"report", "small.yaml"}).exit_code, 0);
  const std::string page = read_file_of_any_kind("results/small/report.html");
  EXPECT_NE(page.find("content=\"default-src 'none';"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(page.find("<!--"), std::string::npos) << "a mark was not replaced";
  for (const char* loads : {"<link", "<script src", "<iframe", "@import", "url(http"})
    EXPECT_EQ(page.find(loads), std::string::npos) << loads;
}

TEST_F(Report, FindsOutWhatWouldHelpWhereItIsAsked) {
  ASSERT_EQ(call_orrery({"report", "small.yaml"}).exit_code, 0);
  EXPECT_FALSE(fs::exists("results/small/sensitivity.csv")) << "of several runs nobody wants to know unasked";
  ASSERT_EQ(call_orrery({"report", "small.yaml", "--what-would-help=on"}).exit_code, 0);
  const Json page = tables_in(read_file_of_any_kind("results/small/report.html"));
  const Json runs = table_of(page["sets"][0], "sensitivity", "")["columns"][0]["words"];
  EXPECT_EQ(runs, (Json{"one", "two"}));
  EXPECT_EQ(call_orrery({"report", "small.yaml", "--what-would-help=perhaps"}).exit_code, 2);
  EXPECT_EQ(call_orrery({"report", "results/small", "--what-would-help=on"}).exit_code, 2);
  ASSERT_EQ(call_orrery({"run", "small.yaml"}).exit_code, 0);
  EXPECT_FALSE(fs::exists("results/small/sensitivity.csv"));
}

TEST_F(Report, HasATimelineWhateverFormatsThereAre) {
  ASSERT_EQ(call_orrery({"run", "small.yaml", "--timeline=kineto"}).exit_code, 0);
  ASSERT_EQ(call_orrery({"report", "results/small"}).exit_code, 0);
  const Json page = tables_in(read_file_of_any_kind("results/small/report.html"));
  EXPECT_FALSE(table_of(page["sets"][0], "timeline", "one").is_null());
  EXPECT_FALSE(table_of(page["sets"][0], "topology-links", "one").is_null());
}

TEST_F(Report, OfAFolderIsThatOfTheExperimentByteForByte) {
  ASSERT_EQ(call_orrery({"report", "small.yaml"}).exit_code, 0);
  const std::string page = read_file_of_any_kind("results/small/report.html");
  ASSERT_EQ(call_orrery({"report", "results/small/", "--output=again.html"}).exit_code, 0);
  EXPECT_EQ(read_file_of_any_kind("again.html"), page);
}

TEST_F(Report, OfSeveralFoldersHoldsAll) {
  ASSERT_EQ(call_orrery({"run", "small.yaml"}).exit_code, 0);
  ASSERT_EQ(call_orrery({"run", "small.yaml", "--set", "passes=3", "--set", "name=longer"}).exit_code, 0);
  const Outcome outcome = call_orrery({"report", "results/small", "results/longer"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(outcome.output, "report: report.html\n");
  const Json sets = tables_in(read_file_of_any_kind("report.html"))["sets"];
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[1]["name"], "longer");
}

TEST_F(Report, TellsExperimentsOfOneNameApartByTheirFolders) {
  ASSERT_EQ(call_orrery({"run", "small.yaml"}).exit_code, 0);
  ASSERT_EQ(call_orrery({"run", "small.yaml", "--output=other"}).exit_code, 0);
  ASSERT_EQ(call_orrery({"report", "results/small", "other/small"}).exit_code, 0);
  const Json sets = tables_in(read_file_of_any_kind("report.html"))["sets"];
  EXPECT_EQ(sets[0]["name"], "results/small");
  EXPECT_EQ(sets[1]["name"], "other/small");
}

TEST_F(Report, OfARunLeavesOutWhatRunsBeforeHaveLeft) {
  ASSERT_EQ(call_orrery({"run", "small.yaml"}).exit_code, 0);
  fs::copy("results/small/one", "results/small/old");
  ASSERT_EQ(call_orrery({"report", "results/small"}).exit_code, 0);
  EXPECT_TRUE(
      table_of(tables_in(read_file_of_any_kind("results/small/report.html"))["sets"][0], "timeline", "old")
          .is_null());
}

TEST_F(Report, GoesWhenTheExperimentRunsAgain) {
  ASSERT_EQ(call_orrery({"report", "small.yaml"}).exit_code, 0);
  ASSERT_EQ(call_orrery({"run", "small.yaml"}).exit_code, 0);
  EXPECT_FALSE(fs::exists("results/small/report.html"));
}

TEST_F(Report, ShowsTheOtherRunsWhereOneFails) {
  write_file_atomically("failing.yaml", R"(
name: failing
networks:
  three: [ { topology: ring, size: 3, bandwidth: 10 GB/s, latency: 100 ns } ]
  four: [ { topology: ring, size: 4, bandwidth: 10 GB/s, latency: 100 ns } ]
system: { collectives: { all-reduce: halving-doubling } }
workload: { layers: [ { name: a, weight-gradient: { collective: all-reduce, size: 1 MB } } ] }
runs: [ { name: bad, network: three }, { name: good, network: four } ]
)");
  EXPECT_EQ(call_orrery({"report", "failing.yaml"}).exit_code, 2);
  const Json set = tables_in(read_file_of_any_kind("results/failing/report.html"))["sets"][0];
  EXPECT_FALSE(table_of(set, "timeline", "good").is_null());
  const Json failures = table_of(set, "failures", "");
  EXPECT_EQ(failures["columns"][0]["words"], Json{"bad"});
  EXPECT_EQ(failures["columns"][1]["name"], "error");
}

}  // namespace
}  // namespace orrery::core::test::report_test
