#include "cli/manual/man_page.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "base/build_info.hpp"

namespace orrery::core::man_page_test {

namespace {

// Returns what a reader sees of a page, roughly: without escapes for minus signs and fonts.
std::string seen(const std::string& page) {
  const std::string without_fonts = std::regex_replace(page, std::regex(R"(\\f[BIR])"), "");
  return std::regex_replace(without_fonts, std::regex(R"(\\-)"), "-");
}

TEST(ManPage, HasEveryFlagOfItsCommand) {
  const DescribedCommand program = described_program();
  for (const DescribedCommand* command : with_inner_commands(program)) {
    const std::string page = seen(man_page(*command, program));
    for (const DescribedFlag& flag : command->flags)
      for (const std::string& name : flag.names)
        EXPECT_NE(page.find(name), std::string::npos) << command->path << " " << name;
    for (const DescribedFlag& argument : command->arguments)
      EXPECT_NE(page.find(".TP\n" + argument.names[0] + "\n"), std::string::npos) << command->path;
    EXPECT_NE(page.find(".SH EXIT STATUS\n"), std::string::npos) << command->path;
  }
}

TEST(ManPage, OfTheProgramListsEveryCommand) {
  const DescribedCommand program = described_program();
  const std::string page = seen(man_page(program, program));
  for (const DescribedCommand& command : program.commands)
    EXPECT_NE(page.find(".TP\norrery " + command.path + "\n"), std::string::npos) << command.path;
  for (const DescribedCommand* command : with_inner_commands(program))
    EXPECT_EQ(page.find(".BR " + page_name_of(*command) + " (1)") == std::string::npos, command == &program);
  EXPECT_NE(page.find("\"Orrery " + std::string(build_info().version) + "\""), std::string::npos);
}

TEST(ManPage, IsCalledAfterTheWordsOfItsCommand) {
  EXPECT_EQ(page_name_of({"compute systolic", {}, {}, {}, {}}), "orrery-compute-systolic");
  EXPECT_EQ(page_name_of({}), "orrery");
}

// A line that begins with a point would be a macro that nobody knows, and vanish.
TEST(ManPage, EscapesWhatWouldBeAMacro) {
  const DescribedFlag flag{{"--where"}, ".here \\ and `there`", {}, {}, {ValueKind::file}, false, false};
  const DescribedCommand command{"x", "Do something", {flag}, {}, {}};
  const std::string page = man_page(command, command);
  EXPECT_NE(page.find("\n\\fB\\-\\-where\\fR=\\fIFILE\\fR\n\\&.here \\e and \\(gathere\\(ga.\n"),
            std::string::npos)
      << page;
}

}  // namespace

}  // namespace orrery::core::man_page_test
