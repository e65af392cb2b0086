// `orrery inspect` on whole sets of traces.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "support/cases.hpp"
#include "support/change_node.hpp"
#include "support/source_dir.hpp"
#include "workload/chakra/files/trace_reader.hpp"
#include "workload/chakra/files/trace_writer.hpp"

namespace orrery::core::test::inspect_test {
namespace {

namespace fs = std::filesystem;

constexpr int ok = 0, wrong = 2;

std::string golden(const std::string& name) {
  return (fs::path(test::source_dir()) / "tests/golden/chakra" / name / "trace").string();
}

nlohmann::json inspect_as_json(const std::string& trace, int exit_code) {
  const Outcome outcome = call_orrery({"inspect", trace, "--json"});
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  return nlohmann::json::parse(outcome.output);
}

std::string copy_to(const fs::path& folder, const std::string& name) {
  for (int rank = 0; fs::exists(golden(name) + "." + std::to_string(rank) + ".et"); ++rank) {
    const std::string file = "." + std::to_string(rank) + ".et";
    fs::copy_file(golden(name) + file, folder / ("trace" + file));
  }
  return (folder / "trace").string();
}

template <class Change>
void spoil(const std::string& file, Change change) {
  chakra::Trace trace = chakra::read_trace_file(file);
  change(trace);
  write_file_atomically(file, chakra::write_trace(trace));
}

TEST(Inspect, FindsNothingWrongWithASetOfGroups) {
  const Outcome outcome = call_orrery({"inspect", golden("c17_comm_groups_tp_dp")});
  EXPECT_EQ(outcome.exit_code, ok) << outcome.error;
  EXPECT_EQ(outcome.output.rfind("8 traces, ", 0), 0u) << outcome.output;
  EXPECT_NE(outcome.output.find("nothing is wrong\n"), std::string::npos) << outcome.output;
  const auto json = inspect_as_json(golden("c17_comm_groups_tp_dp"), ok);
  EXPECT_EQ(json["ok"], true);
  ASSERT_EQ(json["sets"].size(), 1u);
  EXPECT_EQ(json["sets"][0]["traces"].size(), 8u);
  EXPECT_EQ(json["sets"][0]["traces"][7]["rank"], 7);
}

TEST(Inspect, FindsWhatIsWrongWithASpoiledSet) {
  const TemporaryFolder folder;
  const std::string prefix = copy_to(folder.path(), "c17_comm_groups_tp_dp");
  spoil(prefix + ".3.et", [](chakra::Trace& trace) {
    change_node(trace.nodes, trace.nodes.size() - 1, [&](auto& node) { node.id = trace.nodes.id(0); });
    trace.parents.push_back(987654);  // of the last node
    ++trace.first_parent.back();
  });
  const Outcome outcome = call_orrery({"inspect", prefix});
  EXPECT_EQ(outcome.exit_code, wrong);
  EXPECT_EQ(outcome.error, "");
  EXPECT_NE(outcome.output.find("doubtful:\n  " + prefix + ".3.et: 1 parent is not there (node "),
            std::string::npos)
      << outcome.output;
  const auto json = inspect_as_json(prefix, wrong);
  EXPECT_EQ(json["ok"], false);
  const auto& traces = json["sets"][0]["traces"];
  EXPECT_EQ(traces[3]["dangling_parents"][0]["parent"], 987654);
  EXPECT_EQ(traces[3]["duplicate_ids"].size(), 1u);
  EXPECT_TRUE(traces[2]["dangling_parents"].empty());
}

TEST(Inspect, JudgesMessagesOverAllRanksOfASet) {
  const TemporaryFolder folder;
  const std::string prefix = copy_to(folder.path(), "c12_pipeline_p2p");
  EXPECT_EQ(inspect_as_json(prefix, ok)["ok"], true);
  spoil(prefix + ".0.et", [](chakra::Trace& trace) {
    for (std::size_t index = 0; index < trace.nodes.size(); ++index) {
      if (trace.nodes.type(index) == chakra::NodeType::send)
        change_node(trace.nodes, index, [](auto& node) { node.comm_tag += 1000; });
    }
  });
  EXPECT_FALSE(inspect_as_json(prefix, wrong)["sets"][0]["unmatched_messages"].empty());
  // Alone, nobody knows what the others send.
  const auto alone = inspect_as_json(prefix + ".0.et", ok);
  EXPECT_GT(alone["sets"][0]["messages_not_judged"], 0);
  // Files of the same prefix are a set.
  const Outcome both = call_orrery({"inspect", prefix + ".1.et", prefix + ".0.et"});
  EXPECT_EQ(both.exit_code, wrong);
  EXPECT_NE(both.output.find("unmatched message"), std::string::npos) << both.output;
}

// The traces are replayed with their durations, and the messages that they name have no partners.
TEST(Inspect, JudgesNoMessagesForReplayOnly) {
  const Outcome strict = call_orrery({"inspect", golden("c21_replay_only")});
  EXPECT_EQ(strict.exit_code, wrong);
  EXPECT_NE(strict.output.find("messages need no partner: inspect --replay-only\n"), std::string::npos)
      << strict.output;
  const Outcome outcome = call_orrery({"inspect", "--replay-only", golden("c21_replay_only")});
  EXPECT_EQ(outcome.exit_code, ok);
  EXPECT_NE(outcome.output.find("that a run under replay-only does not send\nnothing is wrong\n"),
            std::string::npos)
      << outcome.output;
}

// Other faults remain.
TEST(Inspect, FindsCyclesForReplayOnlyToo) {
  const TemporaryFolder folder;
  const std::string prefix = copy_to(folder.path(), "c21_replay_only");
  spoil(prefix + ".0.et", [](chakra::Trace& trace) {
    trace.parents.push_back(trace.nodes.id(trace.nodes.size() - 1));  // of itself
    ++trace.first_parent.back();
  });
  const Outcome outcome = call_orrery({"inspect", "--replay-only", prefix});
  EXPECT_EQ(outcome.exit_code, wrong);
  EXPECT_EQ(outcome.output.find("messages need no partner"), std::string::npos) << outcome.output;
}

TEST(Inspect, NamesFilesThatCannotBeRead) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "none").string();
  const Outcome outcome = call_orrery({"inspect", missing});
  EXPECT_EQ(outcome.exit_code, wrong);
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.error.rfind(missing + ": error: there is no such trace", 0), 0u) << outcome.error;
  const std::string damaged = (folder.path() / "damaged.et").string();
  write_file_atomically(damaged, "text");
  EXPECT_EQ(call_orrery({"inspect", damaged}).exit_code, wrong);
  EXPECT_EQ(call_orrery({"inspect", folder.path().string()}).exit_code, wrong);
}

}  // namespace
}  // namespace orrery::core::test::inspect_test
