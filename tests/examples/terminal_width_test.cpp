// Everything that commands print fits a terminal of 80 columns, except for lines that hold the names of
// files.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::terminal_width_test {
namespace {

namespace fs = std::filesystem;

std::string example(const std::string& name) {
  return source_dir() + std::string("/examples/") + name;
}

// Words that stand for what comes with the program are short, those with a slash are files.
void expect_width(const std::vector<std::string>& words, int code = 0) {
  const Outcome outcome = call_orrery(words);
  std::string command;
  for (const std::string& word : words) command += " " + word;
  EXPECT_EQ(outcome.exit_code, code) << command << "\n" << outcome.error;
  EXPECT_NE(outcome.output, "") << command;
  std::istringstream lines(outcome.output);
  for (std::string line; std::getline(lines, line);) {
    const auto width = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
    EXPECT_TRUE(width <= 80 || line.find('/') != std::string::npos) << command << "\n" << line;
    EXPECT_EQ(line.find('\x1b'), std::string::npos) << command;
    EXPECT_FALSE(line.ends_with(' ')) << command << "\n" << line;
  }
}

TEST(TerminalWidth, OfHelp) {
  expect_width({"--help"});
  for (const char* command :
       {"run", "report", "search", "validate", "inspect", "topology", "convert", "compute", "generate",
        "crosscheck", "compare", "explain", "sensitivity", "flows", "list"})
    expect_width({"help", command});
  for (const char* what : {"systolic", "roofline", "collective"}) expect_width({"compute", what, "--help"});
}

TEST(TerminalWidth, OfLists) {
  for (const char* what : {"devices", "host-stacks", "models", "platforms", "plug-ins", "stacks"})
    expect_width({"list", what});
}

TEST(TerminalWidth, OfComputing) {
  expect_width({"compute", "roofline", "--device=a100", "--m=4096", "--n=8192", "--k=8192"});
  expect_width({"compute", "systolic", "--m=1000000", "--n=50000", "--k=100000"});
  expect_width({"compute", "collective", "--link=nvlink4", "--inter=ib-ndr", "--kind=reduce-scatter",
                "--members=16384", "--size=64MiB"});
}

TEST(TerminalWidth, OfWhatSimulatesSlow) {
  const TemporaryFolder scratch;
  const std::string output = "--output=" + scratch.path().string();
  for (const char* name : {"ring-allreduce.yaml", "transformer-on-a-network.yaml"}) {
    expect_width({"run", example(name), output});
    expect_width({"explain", example(name), output});
    expect_width({"crosscheck", example(name), output});
  }
  expect_width({"sensitivity", example("ring-allreduce.yaml"), output, "--target=1 ms"});
  expect_width({"convert", example("ring-allreduce.yaml"), output});
  expect_width({"inspect", (scratch.path() / "ring-allreduce.et").string()});
  expect_width({"run", example("dgx2-vs-tpu.yaml"), output});
  expect_width({"compare", (scratch.path() / "dgx2-vs-tpu/DGX2-GPT3").string(),
                (scratch.path() / "dgx2-vs-tpu/TPU-GPT3").string()});
  expect_width({"generate", "--model=resnet50", "--device=v100", "--strategy=data", "--batch=32", "--npus=16",
                "--output=" + (scratch.path() / "w.txt").string()});
}

}  // namespace
}  // namespace orrery::core::test::terminal_width_test
