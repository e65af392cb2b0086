// What comes with the program, and what plug-ins add to it, as orrery list says it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::list_test {
namespace {

// The peak is that of fp16, which everybody quotes. Devices without fp16 have the one of bf16.
TEST(List, DevicesHaveThePeakThatEverybodyQuotes) {
  const Outcome outcome = call_orrery({"list", "devices"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  for (const char* const line :
       {"NVIDIA A100 SXM4, 80 GB         312.0 fp16", "989.4 fp16", "432.0 bf16", "46.0 bf16"})
    EXPECT_NE(outcome.output.find(line), std::string::npos) << line << "\n" << outcome.output;
}

TEST(List, PlugInsHaveWhatUsersWrite) {
  const Outcome text = call_orrery({"list", "plug-ins", "--plugin", test_plugin("star")});
  ASSERT_EQ(text.exit_code, 0) << text.error;
  EXPECT_NE(text.output.find("build: star"), std::string::npos) << text.output;
  const Outcome outcome = call_orrery({"list", "plug-ins", "--plugin", test_plugin("star"), "--json"});
  EXPECT_EQ(nlohmann::json::parse(outcome.output), nlohmann::json::parse(R"({"plug_ins": [{
      "kind": "form of networks", "name": "star", "use": "build: star", "where": "a network",
      "file": ")" + test_plugin("star") + "\"}]}"));
}

TEST(List, PlugInsAreThoseThatAreLoaded) {
  const Outcome none = call_orrery({"list", "plug-ins"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_NE(none.output.find("--plugin FILE.so"), std::string::npos) << none.output;
  EXPECT_EQ(nlohmann::json::parse(call_orrery({"list", "plug-ins", "--json"}).output),
            nlohmann::json::parse(R"({"plug_ins": []})"));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"list"}, {"list", "devices"}}) {
    std::vector<std::string> loaded = words;
    loaded.insert(loaded.end(), {"--plugin", test_plugin("star")});
    const Outcome outcome = call_orrery(loaded);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.error.find("`--plugin` is for `orrery list plug-ins`"), std::string::npos);
  }
}

}  // namespace
}  // namespace orrery::core::test::list_test
