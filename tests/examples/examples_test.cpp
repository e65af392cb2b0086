// Every example runs, through the public API and through the program, or by a sample of its runs where it is
// a study. The example of the README gives the published figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files/file.hpp"
#include "orrery/experiment.hpp"
#include "support/cases.hpp"
#include "support/csv_table.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::examples_test {
namespace {

namespace fs = std::filesystem;
const fs::path examples = fs::path(test::source_dir()) / "examples";

// Returns whether the example is a study of many runs, for `orrery sweep`. Its page in docs/how-to/ is a test
// of all of them (tests/docs/page_commands_test.cpp).
bool is_study(const fs::path& file) {
  return read_file_of_any_kind(file.string()).find("\nsweep:\n") != std::string::npos;
}

std::vector<std::string> examples_that_are_studies(bool wanted) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(examples)) {
    if (entry.path().extension() == ".yaml" && is_study(entry.path()) == wanted)
      names.push_back(entry.path().stem().string());
  }
  return names;
}

std::vector<std::string> all_examples() {
  return examples_that_are_studies(false);
}

// Returns whether the example simulates many millions of packets or messages.
bool takes_seconds(const std::string& name) {
  constexpr std::string_view names[] = {"congestion-control", "fabric-layouts",    "fabric-study",
                                        "flit-torus",         "gpt3-in-packets",   "gpt3-on-rails",
                                        "packet-ways",        "rails-or-fat-tree", "three-dimensions"};
  return std::ranges::find(names, name) != std::end(names);
}

std::vector<std::string> examples_that_take_seconds(bool wanted) {
  std::vector<std::string> names = all_examples();
  std::erase_if(names, [&](const std::string& name) { return takes_seconds(name) != wanted; });
  return names;
}

class Examples : public testing::TestWithParam<std::string> {};
class ExamplesSlow : public testing::TestWithParam<std::string> {};

// The last line may be longer, as it names the folder.
void expect_lines_that_fit_a_terminal(const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const auto width = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
    EXPECT_TRUE(width <= 80 || line.starts_with("files: ")) << line;
  }
}

// Returns the contents of all files in a folder, by their names.
std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), folder).string()] = read_file_of_any_kind(entry.path().string());
  return files;
}

// Returns summary.json without where the results come from.
std::string without_origin(const std::string& summary) {
  auto json = nlohmann::json::parse(summary);
  json.erase("origin");
  return json.dump(1);
}

void expect_same_files(std::map<std::string, std::string> files,
                       std::map<std::string, std::string> expected) {
  files["summary.json"] = without_origin(files["summary.json"]);
  expected["summary.json"] = without_origin(expected["summary.json"]);
  ASSERT_EQ(files.size(), expected.size());
  for (const auto& [name, text] : expected) EXPECT_TRUE(files[name] == text) << name;
}

void expect_times_that_add_up(const orrery::Run& run) {
  const orrery::TimeBreakdown parts = run.breakdown();
  EXPECT_GT(run.time(), orrery::Time());
  EXPECT_EQ(run.time(), parts.compute + parts.bubble + parts.exposed + parts.idle);
}

// The example, put together in code, gives the same files as the program has written into `expected`.
void expect_same_results_by_api(const std::string& name, const fs::path& expected) {
  const TemporaryFolder scratch;
  const std::string text = read_file_of_any_kind((examples / (name + ".yaml")).string());
  orrery::Document document = orrery::Document::parse(text).value();
  if (!document.find("name")) document["name"] = name;
  const auto experiment = orrery::Experiment::from(document, {.folder = examples.string()}).value();
  EXPECT_TRUE(experiment.warnings().empty());
  const orrery::Runs runs = experiment.simulate({.output = scratch.path().string()});
  EXPECT_TRUE(runs.ok());
  for (const orrery::Run& run : runs) expect_times_that_add_up(run);
  expect_same_files(files_of(scratch.path() / name), files_of(expected / name));
}

void expect_to_run_without_warning(const std::string& name) {
  const TemporaryFolder scratch;
  const std::string file = (examples / (name + ".yaml")).string();
  const Outcome outcome = run_orrery({file, "--explain", "--output=" + scratch.path().string()});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.error, "");
  expect_lines_that_fit_a_terminal(outcome.output);
  EXPECT_TRUE(fs::exists(scratch.path() / name / "summary.json"));
  expect_same_results_by_api(name, scratch.path());
}

TEST_P(Examples, RunWithoutWarning) {
  expect_to_run_without_warning(GetParam());
}

TEST_P(ExamplesSlow, RunWithoutWarning) {
  expect_to_run_without_warning(GetParam());
}

std::string test_name(const testing::TestParamInfo<std::string>& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class StudiesSlow : public testing::TestWithParam<std::string> {};

TEST_P(StudiesSlow, RunWithoutWarningOrFailure) {
  const TemporaryFolder scratch;
  const Outcome outcome =
      call_orrery({"sweep", (examples / (GetParam() + ".yaml")).string(), "--set=sweep.sample.runs=4",
                   "--json", "--store=" + (scratch.path() / "store.sqlite").string()});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.error, "");
  const auto swept = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(swept.at("simulated"), 4);
  EXPECT_EQ(swept.at("failed"), 0);
}

TEST(NetworkExamples, AreDescribedWithoutWarning) {
  for (const auto& entry : fs::directory_iterator(examples / "networks")) {
    const Outcome outcome = call_orrery({"topology", "--collectives", entry.path().string()});
    EXPECT_EQ(outcome.exit_code, 0) << entry.path();
    EXPECT_EQ(outcome.error, "");
    expect_lines_that_fit_a_terminal(outcome.output.substr(outcome.output.find('\n')));
  }
}

// The comment of the file says that copies have the bandwidth of the links that two GPUs share.
TEST(FlowExamples, CopiesOfADgx1TakeItsWires) {
  const Outcome outcome = call_orrery({"flows", "--topology=" + (examples / "networks/dgx-1v.yaml").string(),
                                       "--flows=" + (examples / "flows/dgx1-copies.csv").string()});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.error, "");
  std::istringstream lines(outcome.output);
  std::string line;
  std::getline(lines, line);
  std::vector<double> ms;
  while (std::getline(lines, line)) ms.push_back(std::stod(line.substr(line.rfind(',') + 1)) / 1000);
  constexpr double nvlink = 24.24e6, pcie = 10.6e6, cpus = 19.2e6, bytes = 100e6;  // bytes per ms
  const double expected[] = {bytes / nvlink / 2, bytes / nvlink,     bytes / pcie,
                             bytes / nvlink,     bytes / nvlink / 2, 4 * bytes / cpus,
                             4 * bytes / cpus,   4 * bytes / cpus,   4 * bytes / cpus};
  ASSERT_EQ(ms.size(), std::size(expected));
  for (std::size_t i = 0; i < ms.size(); ++i) EXPECT_NEAR(ms[i], expected[i], 0.004) << "flow " << i;
}

// Returns how long the victim of the slow NIC takes; `packets` names a file, or none.
double victim_us(const std::string& packets) {
  const TemporaryFolder scratch;
  const std::string ends = (scratch.path() / "ends.csv").string();
  std::vector<std::string> command{"flows",
                                   "--topology=" + (examples / "networks/slow-receiver.yaml").string(),
                                   "--flows=" + (examples / "flows/pause-storm.csv").string(),
                                   "--network-model=packet", "--output=" + ends};
  if (!packets.empty()) command.push_back("--packets=" + (examples / "packets" / packets).string());
  const Outcome outcome = call_orrery(command);
  EXPECT_EQ(outcome.error, "");
  return read_csv(ends).at(1).number("fct_us");
}

// The comment of the file says so. One of 2500 packets passes for each packet that the slow NIC takes in at 1
// Gbit/s, behind those that already wait.
TEST(FlowExamples, ASlowNicHoldsUpAVictim) {
  constexpr double packets = 2500, alone_us = packets * (4096 + 82) * 8e-5;
  EXPECT_NEAR(victim_us("pauses.yaml") / (100 * alone_us), 1, 0.05);
  EXPECT_NEAR(victim_us("infiniband.yaml") / (100 * packets * (4096 + 26) * 8e-5), 1, 0.01);
  EXPECT_LT(victim_us("dcqcn.yaml"), 10 * alone_us);
  EXPECT_NEAR(victim_us("") / alone_us, 1, 0.02);
}

class ExplainedExamplesSlow : public testing::TestWithParam<std::string> {};

TEST_P(ExplainedExamplesSlow, HavePathsWithoutGaps) {
  const TemporaryFolder scratch;
  const std::string file = (examples / (GetParam() + ".yaml")).string();
  const Outcome outcome = call_orrery({"explain", file, "--output=" + scratch.path().string()});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.error, "");
  expect_lines_that_fit_a_terminal(outcome.output);
  std::string run, end = "0";
  for (const CsvRow& step : read_csv((scratch.path() / GetParam() / "critical-path.csv").string())) {
    if (step.text("run") != run) end = step.text("start_us");
    run = step.text("run");
    ASSERT_EQ(step.text("start_us"), end) << run;
    end = step.text("end_us");
  }
  EXPECT_NE(run, "");
}

INSTANTIATE_TEST_SUITE_P(All, StudiesSlow, testing::ValuesIn(examples_that_are_studies(true)), test_name);
INSTANTIATE_TEST_SUITE_P(All, ExplainedExamplesSlow, testing::ValuesIn(all_examples()), test_name);
INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(examples_that_take_seconds(false)), test_name);
INSTANTIATE_TEST_SUITE_P(All, ExamplesSlow, testing::ValuesIn(examples_that_take_seconds(true)), test_name);

// Rings one after the other, with a latency of 1 us per step. Each packet has 82 bytes of headers.
double rings_us(double bytes, double gb_per_s, const std::vector<int>& sizes, int acknowledgement = 0) {
  double us = 0;
  for (const int size : sizes) {
    bytes /= size;
    const double sent = bytes + std::ceil(bytes / 4096) * (82 + acknowledgement);
    us += 2 * (size - 1) * (sent / gb_per_s / 1000 + 1);
  }
  return us;
}

orrery::Runs runs_of(const std::string& example) {
  return orrery::Experiment::load((examples / (example + ".yaml")).string()).value().simulate();
}

// The comment of the file says so.
TEST(Examples, ToriInPacketsTakeWhatTheirRingsTake) {
  const orrery::Runs runs = runs_of("tori-in-packets");
  const std::vector<int> sizes[] = {{64}, {8, 8}, {4, 4, 4}};
  ASSERT_EQ(runs.size(), 9u);
  for (std::size_t i = 0; i < 3; ++i) {
    const double gb_per_s = 50.0 / static_cast<double>(i + 1);
    EXPECT_NEAR(runs[i].time().microseconds() / rings_us(128e6, gb_per_s, sizes[i]), 1, 0.003);
    EXPECT_NEAR(runs[i + 6].time().microseconds() / rings_us(256e3, gb_per_s, sizes[i]), 1, 0.015);
  }
  // Half of the bytes each way around, and the acknowledgements of the other half.
  EXPECT_NEAR(runs[3].time().microseconds() / rings_us(64e6, 50, sizes[0], 84), 1, 0.003);
  // The innermost dimension carries 2 (n - 1) / n of the bytes over two links of 25 or 16.7 GB/s.
  constexpr double wire = (4096 + 82 + 84) / 4096.0, bound_2d_us = 2 * 7 / 8.0 * 128e6 * wire / 50e3,
                   bound_3d_us = 2 * 3 / 4.0 * 128e6 * wire / (100e3 / 3);
  EXPECT_GT(runs[4].time().microseconds(), bound_2d_us);
  EXPECT_LT(runs[4].time().microseconds(), 1.1 * bound_2d_us);
  EXPECT_GT(runs[5].time().microseconds(), bound_3d_us);
  EXPECT_LT(runs[5].time().microseconds(), 1.1 * bound_3d_us);
}

// Published with the ASTRA-sim tutorial at MLSys 2022, exercise 3.
TEST(Examples, Dgx2VersusTpuHoldsThePublishedFigures) {
  struct Figures {
    const char* name;
    double total_us, compute_us, exposed_us;
  };
  constexpr Figures published[] = {{"DGX2-VGG16", 5632.316, 751.019, 4881.297},
                                   {"TPU-VGG16", 5489.225, 1831.809, 3657.416},
                                   {"DGX2-GPT3", 787767.340, 575821.446, 211945.894},
                                   {"TPU-GPT3", 1655238.425, 1404442.611, 250795.814}};
  const orrery::Runs runs = runs_of("dgx2-vs-tpu");
  ASSERT_EQ(runs.size(), std::size(published));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].name(), published[i].name);
    EXPECT_NEAR(runs[i].time().microseconds(), published[i].total_us, 5e-7);
    // What was published counts updates that follow collectives as waiting for these.
    const orrery::TimeBreakdown parts = runs[i].breakdown();
    EXPECT_NEAR((parts.compute - parts.update).microseconds(), published[i].compute_us, 5e-7);
    EXPECT_NEAR((parts.exposed + parts.update).microseconds(), published[i].exposed_us, 5e-7);
  }
}

}  // namespace
}  // namespace orrery::core::test::examples_test
