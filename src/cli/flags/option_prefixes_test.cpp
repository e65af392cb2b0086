#include "cli/flags/option_prefixes.hpp"

#include <gtest/gtest.h>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core::option_prefixes_test {
namespace {

using Arguments = std::vector<std::string>;

Arguments expanded(Arguments arguments) {
  CLI::App command;
  std::string value;
  for (const char* option :
       {"--run-name", "--rendezvous-protocol", "--path", "--path-style,-s", "--num-passes,--passes"}) {
    command.add_option(option, value);
  }
  expand_option_prefixes(command, arguments);
  return arguments;
}

TEST(OptionPrefixes, CompletesUnambiguousBeginnings) {
  EXPECT_EQ(expanded({"--run=x", "--ren", "1", "--num-p", "3"}),
            (Arguments{"--run-name=x", "--rendezvous-protocol", "1", "--num-passes", "3"}));
  EXPECT_EQ(expanded({"--run=a=b"}), (Arguments{"--run-name=a=b"}));
  EXPECT_EQ(expanded({"--run="}), (Arguments{"--run-name="}));
}

TEST(OptionPrefixes, LeavesCompleteNamesAlone) {
  const Arguments complete{"--run-name=x", "--path", "y", "--path-style=z", "--passes=3"};
  EXPECT_EQ(expanded(complete), complete);  // --path is also the beginning of --path-style
}

TEST(OptionPrefixes, LeavesWhatIsNoLongOptionAlone) {
  const Arguments others{"run", "-s", "-r", "--", "--=", "file--run"};
  EXPECT_EQ(expanded(others), others);
}

TEST(OptionPrefixes, RefusesTheUnknown) {
  for (const char* unknown : {"--unknown=1", "--RUN=x"})
    EXPECT_THROW(expanded({unknown}), InputError) << unknown;
}

TEST(OptionPrefixes, RefusesTheAmbiguous) {
  try {
    expanded({"--r=x"});
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind("--r: error: ", 0), 0u) << what;
    EXPECT_NE(what.find("--run-name"), std::string::npos) << what;
    EXPECT_NE(what.find("--rendezvous-protocol"), std::string::npos) << what;
    EXPECT_EQ(what.find("--path"), std::string::npos) << what;
  }
  EXPECT_THROW(expanded({"--pa"}), InputError);
}

}  // namespace
}  // namespace orrery::core::option_prefixes_test
