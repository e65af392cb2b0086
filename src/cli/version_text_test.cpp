#include "cli/version_text.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "base/build_info.hpp"
#include "support/cases.hpp"

namespace orrery::core::version_text_test {

namespace {

TEST(VersionText, BeginsWithTheVersionAndSaysTheCommit) {
  const std::string text = version_text();
  EXPECT_TRUE(text.starts_with("orrery " + std::string(build_info().version) + "\ncommit: ")) << text;
  EXPECT_TRUE(std::regex_search(
      text, std::regex("\ncommit: +(unknown|[0-9a-f]{12}[+a-z]* of \\d{4}-\\d\\d-\\d\\d)\n")))
      << text;
  EXPECT_NE(text.find("packet"), std::string::npos) << text;
  EXPECT_NE(text.find(build_info().compiler), std::string::npos) << text;
}

TEST(VersionText, IsWhatTheFlagPrints) {
  const test::Outcome outcome = test::call_orrery({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output, version_text() + "\n");
}

// The version stands in CMakeLists.txt alone.
TEST(BuildInfo, HasAVersionOfThreeNumbers) {
  EXPECT_TRUE(std::regex_match(std::string(build_info().version), std::regex("\\d+\\.\\d+\\.\\d+")))
      << build_info().version;
}

}  // namespace

}  // namespace orrery::core::version_text_test
