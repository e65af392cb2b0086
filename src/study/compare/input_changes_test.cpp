#include "study/compare/input_changes.hpp"

#include <gtest/gtest.h>

#include "base/encoding/sha256.hpp"

namespace orrery::core::input_changes_test {
namespace {

// However many runs of an experiment are compared, its file is read once: once it was read for each of them,
// so that thousands took minutes.
TEST(InputComparison, ReadsAnExperimentOnceForAllItsRuns) {
  std::string text = "passes: 1\nruns:\n";
  constexpr int count = 200;
  for (int i = 0; i < count; ++i)
    text += "  - { name: r" + std::to_string(i) + ", passes: " + std::to_string(i) + " }\n";
  int loads = 0;
  const FileLoader load = [&](const std::string&) {
    ++loads;
    return text;
  };
  const auto run = [&](const std::string& name) {
    StoredRun stored;
    stored.run = name;
    stored.origin.inputs = {{"experiment.yaml", sha256(text)}};
    return stored;
  };
  const StoredRun before = run("r0");
  InputComparison comparison(before, load);
  for (int i = 1; i < count; ++i) {
    const std::vector<InputChange> changes = comparison.changes_to(run("r" + std::to_string(i)));
    ASSERT_EQ(changes.size(), 1u) << i;
    EXPECT_EQ(changes[0].key, "passes");
    EXPECT_EQ(changes[0].before, "0");
    EXPECT_EQ(changes[0].after, std::to_string(i));
  }
  EXPECT_EQ(loads, 1);
  EXPECT_TRUE(comparison.changes_to(run("r0")).empty());
  EXPECT_TRUE(comparison.changes_to(run("another")).empty());  // nothing is known of it
}

}  // namespace
}  // namespace orrery::core::input_changes_test
