#include "support/command_case.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace orrery::core::test::command_case_test {
namespace {

using namespace std::string_literals;

std::string mistake_in(const std::string& text) {
  try {
    parse_command_case(text, "case.txt");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(CommandCase, HoldsCommandExpectationsAndFiles) {
  const CommandCase parsed = parse_command_case(
      "# Why it is here.\n"
      "$ orrery run x.yaml \"--set=a=[1, 2]\"\n"
      "--- stderr\nx.yaml:1:1: error: no\n"
      "--- exit 2\n"
      "--- stdout\nwords\n"
      "--- files\nout/a.csv\nout/b.csv\n"
      "--- wrote out/a.csv\nx\n1\n"
      "=== file x.yaml\n---\n# no comment here\n$ x\n\n"
      "=== file sub/empty.txt\n"
      "=== trace t.0.et\ncomp 1\n"
      "=== no network.json\n"
      "=== repository examples/tori.yaml\n",
      "case.txt");
  EXPECT_EQ(parsed.command, (std::vector<std::string>{"run", "x.yaml", "--set=a=[1, 2]"}));
  EXPECT_EQ(parsed.error, "x.yaml:1:1: error: no\n");
  EXPECT_EQ(parsed.output, "words\n");
  EXPECT_EQ(parsed.exit_code, 2);
  EXPECT_EQ(parsed.written, (std::vector<std::string>{"out/a.csv", "out/b.csv"}));
  ASSERT_EQ(parsed.results.size(), 1U);
  EXPECT_EQ(parsed.results[0].name, "out/a.csv");
  EXPECT_EQ(parsed.results[0].text, "x\n1\n");
  ASSERT_EQ(parsed.files.size(), 5U);
  EXPECT_EQ(parsed.files[0].text, "---\n# no comment here\n$ x\n\n");
  EXPECT_EQ(parsed.files[1].name, "sub/empty.txt");
  EXPECT_EQ(parsed.files[1].text, "");
  EXPECT_EQ(parsed.files[2].kind, CaseFile::Kind::trace);
  EXPECT_EQ(parsed.files[3].kind, CaseFile::Kind::absent);
  EXPECT_EQ(parsed.files[4].kind, CaseFile::Kind::repository);
}

TEST(CommandCase, EscapesStandForBytes) {
  const CommandCase parsed = parse_command_case(
      "=== file a escaped\n"
      "crlf\\r\n"
      "\\x00\\xff \\\\\n"
      "\\x2d-- \n"
      "no end\\\n",
      "case.txt");
  ASSERT_EQ(parsed.files.size(), 1U);
  EXPECT_EQ(parsed.files[0].text, "crlf\r\n\0\xff \\\n--- \nno end"s);
}

TEST(CommandCase, MistakesHaveTheirLine) {
  EXPECT_EQ(mistake_in("--- exit 2"), "case.txt:1: the last line lacks its end");
  EXPECT_EQ(mistake_in("$ sh -c ls\n"), "case.txt:1: the command must begin with '$ orrery'");
  EXPECT_EQ(
      mistake_in("# x\nrun\n"),
      "case.txt:2: expected '# comment', '$ orrery ...', '--- section' or '=== file NAME' in this order");
  EXPECT_EQ(mistake_in("--- exit 2\n--- exit 1\n"), "case.txt:2: there are two exit codes");
  EXPECT_EQ(mistake_in("--- exit two\n"), "case.txt:1: 'two' is no exit code");
  EXPECT_EQ(mistake_in("--- exit 2\n\n"), "case.txt:2: there is text below a header that has none");
  EXPECT_EQ(mistake_in("--- output\n"),
            "case.txt:1: a section is '--- stderr', '--- stdout', '--- wrote FILE', each of which may be "
            "'escaped', "
            "'--- exit CODE' or '--- files'");
  EXPECT_EQ(
      mistake_in("=== a.txt\n"),
      "case.txt:1: a file is '=== file NAME', '=== trace NAME', '=== repository NAME' or '=== no NAME'");
  EXPECT_EQ(mistake_in("=== file a\nx\n=== file a\n"), "case.txt:3: the file 'a' is there twice");
  EXPECT_EQ(mistake_in("=== file a\nx\r\n"),
            "case.txt:2: there is a control character: write \\xHH and 'escaped' behind the header");
  EXPECT_EQ(mistake_in("=== file a escaped\n\\q\n"),
            R"(case.txt:2: '\q' is no escape: \\, \r, \xHH, and \ at the end of a line are)");
  EXPECT_EQ(mistake_in("=== file a escaped\n\\x1\n"), "case.txt:2: \\x needs two hexadecimal digits");
}

}  // namespace
}  // namespace orrery::core::test::command_case_test
