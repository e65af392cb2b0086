// orrery validate tells the kind of every file that it is given, and reads it as that.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::input_kinds_test {
namespace {

namespace fs = std::filesystem;

struct Files {
  std::string folder;  // of the repository
  std::string kind;    // of all its files, as validate says it
};

class InputKinds : public testing::TestWithParam<Files> {};

TEST_P(InputKinds, FilesOfTheRepositoryAreWhatTheyAre) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(source_dir() + "/" + GetParam().folder)) {
    if (!entry.is_regular_file()) continue;
    if (entry.path().filename() == "none.yaml") continue;  // has but a name, which any kind may have
    const Outcome outcome = call_orrery({"validate", entry.path().string()});
    EXPECT_EQ(outcome.exit_code, 0) << entry.path() << outcome.error;
    EXPECT_NE(outcome.output.find(GetParam().kind), std::string::npos) << outcome.output;
    ++count;
  }
  EXPECT_GT(count, 0);
}

INSTANTIATE_TEST_SUITE_P(Folders, InputKinds,
                         testing::Values(Files{"share/orrery/devices", ": ok, device file"},
                                         Files{"share/orrery/host-stacks", ": ok, host stack"},
                                         Files{"share/orrery/libraries", ": ok, library of collectives"},
                                         Files{"share/orrery/memory", ": ok, memory file"},
                                         Files{"share/orrery/models", ": ok, model of "},
                                         Files{"share/orrery/platforms", ": ok, platform"},
                                         Files{"share/orrery/stacks", ": ok, software stack"},
                                         Files{"share/orrery/transformers", ": ok, transformer file"},
                                         Files{"examples/algorithms", ": ok, algorithm of "},
                                         Files{"examples/flows", " flows\n"},
                                         Files{"examples/networks", ": ok, network of "},
                                         Files{"examples/packets", ": ok, file of packets"},
                                         Files{"examples/transformers", ": ok, transformer file"}),
                         [](const testing::TestParamInfo<Files>& files) {
                           std::string name = files.param.folder;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '/' || c == '-'; }, '_');
                           return name;
                         });

Outcome validated(const std::string& name, const std::string& text) {
  const TemporaryFolder scratch;
  const std::string file = (scratch.path() / name).string();
  write_file_atomically(file, text);
  return call_orrery({"validate", file});
}

TEST(InputKindsOfTexts, TablesAndFilesOfOtherSimulatorsAreKnown) {
  for (const auto& [text, kind] : std::vector<std::pair<std::string, std::string>>{
           {"# products\nm,n,k,datatype\n64,64,64,fp16\n", "table of products"},
           {"operation,members,bytes,link\nall-reduce,8,1024,nvlink3\n", "table of groups"},
           {"Nodes 4\nConnections 1\n0->1 id 1 start 0 size 1000\n", "1 flows"},
           {"1\n0 1 3 100 1000 2.0\n", "1 flows"},
           {"{ \"1\": [0, 1], \"2\": [2, 3] }", "file of 2 groups"},
           {"{ \"memory-type\": \"NO_MEMORY_EXPANSION\" }", "remote-memory file of ASTRA-sim 2"}}) {
    const Outcome outcome = validated("file", text);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_NE(outcome.output.find("ok, " + kind), std::string::npos) << outcome.output;
  }
}

// One key that is wrong does not make another kind of a file.
TEST(InputKindsOfTexts, AMistakeIsOneOfItsKind) {
  const Outcome packets = validated("p.yaml", "profile: infiniband\nwindw: none\nbuffer: 4 MiB\n");
  EXPECT_EQ(packets.exit_code, 2);
  EXPECT_NE(packets.error.find("p.yaml:2:1: error: unknown key `windw`, did you mean `window`?"),
            std::string::npos)
      << packets.error;
  const Outcome experiment = validated("e.yaml", "name: e\nnetwrk: []\nworkload: { layers: [] }\n");
  EXPECT_EQ(experiment.exit_code, 2);
  EXPECT_NE(experiment.error.find("did you mean `network`?"), std::string::npos) << experiment.error;
}

TEST(InputKindsOfTexts, AnExperimentIsAskedForWhereAnotherKindStands) {
  const std::string file = source_dir() + "/share/orrery/devices/h100.yaml";
  const Outcome outcome = call_orrery({"run", file});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.error, file +
                               ": error: this is a device file, not an experiment; the key `device` of an "
                               "experiment takes it\n");
}

}  // namespace
}  // namespace orrery::core::test::input_kinds_test
