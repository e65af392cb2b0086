// Where commands read and write: names that the file system refuses, outputs that would replace an input or
// one another, and names that files of results have for themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "report/stored/result_files.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::outputs_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* experiment = R"(name: e
network: [ { topology: switch, size: 4, bandwidth: 10 GB/s, latency: 1 us } ]
workload: { layers: [ { name: l, weight-gradient: { compute: 1 us, collective: all-reduce, size: 1 MB } } ] }
)";
constexpr const char* training = R"(name: t
platform: dgx-a100
workload: { model: gpt3-125m, batch: { global: 8, micro: 1 }, parallelism: { data: 8 } }
)";

class Outputs : public testing::Test {
 protected:
  void SetUp() override {
    fs::current_path(scratch_.path());
    write_file_atomically("e.yaml", experiment);
    write_file_atomically("t.yaml", training);
    write_file_atomically("net.yaml",
                          "{ build: switch, size: 4, link: { bandwidth: 10 GB/s, latency: 1 us } }");
    write_file_atomically("flows.csv", "source,destination,bytes\n0,1,1000\n1,2,1000\n");
    write_file_atomically("mnk.csv", "Layer,m,n,k\nl,8,8,8\n");
  }
  void TearDown() override { fs::current_path(before_); }

  // Expects that a command is refused, with a message about `about`, and that it leaves all files as they
  // are.
  static void expect_refused(const Words& command, const std::string& about) {
    const auto files = contents();
    const Outcome outcome = call_orrery(command);
    EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(command);
    EXPECT_NE(outcome.error.find(about), std::string::npos)
        << testing::PrintToString(command) << outcome.error;
    EXPECT_EQ(contents(), files) << testing::PrintToString(command);
    EXPECT_EQ(outcome.output, "");
  }
  static std::vector<std::pair<std::string, std::string>> contents() {
    std::vector<std::pair<std::string, std::string>> files;
    for (const std::string& file : files_below(".")) files.emplace_back(file, read_file_of_any_kind(file));
    return files;
  }

 private:
  TemporaryFolder scratch_;
  fs::path before_ = fs::current_path();
};

// Every command, with a name in the place of each file and folder that it takes.
std::vector<Words> commands_on(const std::string& name) {
  return {{"run", name},
          {"run", "e.yaml", "--output=" + name},
          {"run", "--workload-configuration=" + name, "--system-configuration=" + name,
           "--network-configuration=" + name},
          {"report", name},
          {"report", name + "/results"},
          {"report", "e.yaml", "--output=" + name + "/x.html"},
          {"search", name},
          {"search", "t.yaml", "--output=" + name},
          {"validate", name},
          {"inspect", name},
          {"inspect", name + "/trace"},
          {"topology", name},
          {"topology", "net.yaml", "--dot=" + name + "/x"},
          {"topology", "net.yaml", "--svg=" + name + "/x"},
          {"convert", name},
          {"convert", "e.yaml", "--output=" + name},
          {"compute", "systolic", "--topology=" + name},
          {"compute", "systolic", "--m=1", "--n=1", "--k=1", "--config=" + name},
          {"compute", "roofline", "--shapes=" + name},
          {"compute", "roofline", "--table=" + name},
          {"compute", "roofline", "--device=./" + name},
          {"compute", "collective", "--groups=" + name},
          {"compute", "collective", "--library=./" + name},
          {"generate", "--mnk=" + name},
          {"generate", "--model=./" + name, "--device=a100"},
          {"generate", "--mnk=mnk.csv", "--output=" + name + "/x"},
          {"crosscheck", name},
          {"crosscheck", "e.yaml", "--output=" + name},
          {"compare", name},
          {"compare", name, "e.yaml"},
          {"compare", "e.yaml", name},
          {"compare", name + "/a", name + "/b"},
          {"compare", "e.yaml", "--measured=" + name},
          {"compare", name, "--measured=flows.csv"},
          {"explain", name},
          {"explain", "e.yaml", "--output=" + name},
          {"sensitivity", name},
          {"sensitivity", "e.yaml", "--costs=" + name},
          {"sensitivity", "e.yaml", "--output=" + name},
          {"flows", "--topology=" + name, "--flows=flows.csv"},
          {"flows", "--topology=net.yaml", "--flows=" + name},
          {"flows", "--topology=net.yaml", "--flows=flows.csv", "--output=" + name + "/x"},
          {"flows", "--topology=net.yaml", "--flows=flows.csv", "--failures=" + name},
          {"flows", "--topology=net.yaml", "--flows=flows.csv", "--host-stack=./" + name}};
}

TEST_F(Outputs, NamesThatTheFileSystemRefusesAreBadInput) {
  fs::create_symlink("loop", "loop");
  for (const std::string& name : {std::string("loop"), std::string(300, 'a')})
    for (const Words& command : commands_on(name)) {
      const Outcome outcome = call_orrery(command);
      EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(command) << outcome.error;
      EXPECT_EQ(outcome.error.find("internal error"), std::string::npos) << outcome.error;
      EXPECT_NE(outcome.error.find("error: "), std::string::npos) << testing::PrintToString(command);
    }
}

TEST_F(Outputs, ALinkThatLeadsNowhereInAFolderIsBadInput) {
  fs::create_directory("profiles");
  fs::create_symlink("rank0.json", "profiles/rank0.json");
  fs::create_directory("results");
  fs::create_symlink("runs.csv", "results/runs.csv");
  for (const auto& [command, file] :
       {std::pair(Words{"compare", "e.yaml", "--measured=profiles"}, "profiles/rank0.json"),
        std::pair(Words{"report", "results"}, "results/runs.csv")}) {
    const Outcome outcome = call_orrery(command);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.error.find(std::string(file) + ": error: cannot open file"), std::string::npos)
        << outcome.error;
  }
}

TEST_F(Outputs, AreNoInputsOfTheCommand) {
  fs::create_directory("folder");
  fs::create_symlink("../e.yaml", "folder/link.yaml");
  fs::create_hard_link("flows.csv", "second.csv");
  const std::string whole = fs::absolute("net.yaml").string();
  for (const std::string& output :
       {std::string("e.yaml"), std::string("./folder/../e.yaml"), std::string("folder/link.yaml")})
    expect_refused({"report", "e.yaml", "--output=" + output}, "is read by this command");
  for (const std::string& flag : {std::string("--output="), std::string("--links=")})
    for (const std::string& output : {std::string("flows.csv"), std::string("second.csv"), whole})
      expect_refused({"flows", "--topology=net.yaml", "--flows=flows.csv", flag + output},
                     "is read by this command");
  for (const char* flag : {"--dot=", "--svg="})
    expect_refused({"topology", "net.yaml", flag + whole}, "is read by this command");
  expect_refused({"generate", "--mnk=mnk.csv", "--output_file=mnk.csv"}, "is read by this command");
}

// A table of an experiment is an input where the experiment says so.
TEST_F(Outputs, InFoldersOfResultsAreNoInputsEither) {
  for (const char* name : {"runs.csv", "explained/blame.csv"}) {
    const fs::path file = fs::path("results") / "own" / fs::path(name).filename();
    fs::create_directories(file.parent_path());
    write_file_atomically(file.string(), "DATA\n1\nlayer -1 10 NONE 0 10 NONE 0 10 ALLREDUCE 1024 1\n");
    write_file_atomically(
        "own.yaml",
        "network: [ { topology: switch, size: 4, bandwidth: 10 GB/s, latency: 1 us } ]\nworkload: " +
            file.string() + "\n");
    const std::string command = file.filename() == "runs.csv" ? "run" : "explain";
    expect_refused({command, "own.yaml"}, file.string() + ": error: is read by this command");
    fs::remove(file);
  }
}

TEST_F(Outputs, OfOneCommandHaveDifferentNames) {
  fs::create_directory("folder");
  const Words flows{"flows", "--topology=net.yaml", "--flows=flows.csv"};
  const auto with = [&](std::initializer_list<std::string> more) {
    Words words = flows;
    words.insert(words.end(), more);
    return words;
  };
  expect_refused(with({"--output=same.csv", "--links=same.csv"}), "is also what `--output` writes to");
  expect_refused(with({"--output=same.csv", "--links=folder/../same.csv"}),
                 "is also what `--output` writes to");
  expect_refused(with({"--links=-"}), "is also what `--output` writes to");
  expect_refused({"topology", "net.yaml", "--dot=same", "--svg=./same"}, "is also what `--dot` writes to");
  expect_refused({"topology", "net.yaml", "--json", "--dot=-"}, "is also what `--json` writes to");
  expect_refused({"crosscheck", "e.yaml", "--json", "--output=-"}, "is also what `--json` writes to");
}

TEST_F(Outputs, GoToStandardOutputByADash) {
  const auto printed = [](const Words& words) {
    const Outcome outcome = call_orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    return outcome.output;
  };
  const auto written = [](Words words, const std::string& flag, const std::string& file) {
    words.push_back(flag + "=" + file);
    EXPECT_EQ(call_orrery(words).exit_code, 0);
    return read_file_of_any_kind(file);
  };
  const Words flows{"flows", "--topology=net.yaml", "--flows=flows.csv"};
  EXPECT_EQ(printed({"flows", "--topology=net.yaml", "--flows=flows.csv", "--output=-"}), printed(flows));
  EXPECT_EQ(printed({"flows", "--topology=net.yaml", "--flows=flows.csv", "--output=ends.csv", "--links=-"}),
            written(flows, "--links", "links.csv"));
  for (const char* flag : {"--dot", "--svg"})
    EXPECT_EQ(printed({"topology", "net.yaml", flag, "-"}),
              written({"topology", "net.yaml"}, flag, "drawing"));
  EXPECT_EQ(printed({"generate", "--mnk=mnk.csv", "--output=-"}),
            written({"generate", "--mnk=mnk.csv"}, "--output", "workload.txt"));
  for (const char* command : {"crosscheck", "sensitivity"}) {
    const std::string of = std::string(command) + ".csv";
    const Outcome table = call_orrery({command, "e.yaml", "--output=-"});
    EXPECT_EQ(table.exit_code, 0) << table.error;
    EXPECT_EQ(table.output, written({command, "e.yaml"}, "--output", of));
    EXPECT_EQ(call_orrery({command, "e.yaml", "--output=out"}).exit_code, 0);
    EXPECT_EQ(table.output, read_file_of_any_kind("out/e/" + of));
  }
  EXPECT_EQ(printed({"search", "t.yaml", "--output=-"}),
            written({"search", "t.yaml"}, "--output", "layouts.csv"));
  const std::string page = printed({"report", "e.yaml", "--output=-"});
  EXPECT_TRUE(page.starts_with("<!doctype html>")) << page.substr(0, 200);
  for (const char* command : {"run", "explain", "convert"})
    expect_refused({command, "e.yaml", "--output=-"}, "this command writes several files");
  expect_refused({"crosscheck", "e.yaml", "t.yaml", "--output=one.csv"}, "one of 2 experiments only");
}

// Whatever a command leaves in the folder of an experiment is no name of a run.
TEST_F(Outputs, InTheFolderOfAnExperimentAreNoNamesOfRuns) {
  write_file_atomically("e.yaml", std::string(experiment) +
                                      "runs: [ { name: a }, { name: b, passes: 2 } ]\n"
                                      "comparisons: [ { run: b, baseline: a } ]\n");
  for (const Words& command :
       std::vector<Words>{{"run", "e.yaml", "--timeline=kineto"},
                          {"explain", "e.yaml"},
                          {"crosscheck", "e.yaml"},
                          {"sensitivity", "e.yaml", "--run=a"},
                          {"report", "results/e"},
                          {"search", "t.yaml"},
                          {"compare", "results/e", "--measured=results/e/a/timeline.kineto"}})
    ASSERT_EQ(call_orrery(command).exit_code, 0)
        << testing::PrintToString(command) << call_orrery(command).error;
  std::vector<std::string> names{"timeline.kineto"};
  for (const char* folder : {"results/e", "results/t"})
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  EXPECT_EQ(names.size(), experiment_files.size() + 1) << testing::PrintToString(names);
  names.push_back("links.csv");  // looked for beside the summary of a run of traces
  for (const std::string& name : names) {
    write_file_atomically("named.yaml", std::string(experiment) + "runs: [ { name: " + name + " } ]\n");
    const Outcome outcome = call_orrery({"run", "named.yaml", "--output=out"});
    EXPECT_EQ(outcome.exit_code, 2) << name;
    EXPECT_NE(outcome.error.find("`" + name + "` cannot be a name: a file of the results is called so"),
              std::string::npos)
        << outcome.error;
  }
  EXPECT_FALSE(fs::exists("out"));
}

}  // namespace
}  // namespace orrery::core::test::outputs_test
