#include "cli/manual/described_command.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "cli/subcommands.hpp"

namespace orrery::core::described_command_test {

namespace {

template <class Visit>
void for_each_flag(const DescribedCommand& program, Visit visit) {
  for (const DescribedCommand* command : with_inner_commands(program)) {
    for (const DescribedFlag& flag : command->flags) visit(*command, flag);
    for (const DescribedFlag& argument : command->arguments) visit(*command, argument);
  }
}

// Numbers are known without the table, and there is nothing to offer for them or for texts.
bool is_listed(const DescribedFlag& flag) {
  for (const std::string& name : flag.names)
    if (listed_choice(name)) return true;
  return false;
}

TEST(DescribedCommand, HasEveryCommand) {
  std::set<std::string> paths;
  const DescribedCommand program = described_program();
  for (const DescribedCommand* command : with_inner_commands(program)) paths.insert(command->path);
  for (const Subcommand& command : subcommands())
    EXPECT_TRUE(paths.contains(std::string(command.name))) << command.name;
  EXPECT_TRUE(paths.contains(""));
  EXPECT_TRUE(paths.contains("compute systolic"));
  EXPECT_FALSE(paths.contains("systolic"));
}

TEST(DescribedCommand, KnowsFlagsAsTheyWereAdded) {
  const DescribedCommand program = described_program();
  std::map<std::string, const DescribedFlag*> flags;
  for_each_flag(program, [&](const DescribedCommand& command, const DescribedFlag& flag) {
    flags.emplace(command.path + " " + flag.names.back(), &flag);
  });
  EXPECT_EQ(flags.at("compute roofline --m")->names, (std::vector<std::string>{"-m", "--m"}));
  EXPECT_EQ(flags.at("compute roofline --m")->value.kind, ValueKind::number);
  EXPECT_EQ(flags.at("compute roofline --device")->default_value, "a100");
  EXPECT_EQ(flags.at("run --json")->value.kind, ValueKind::nothing);
  EXPECT_EQ(flags.at("run --units-count")->group, "ASTRA-sim 1.0");
  EXPECT_TRUE(flags.at("run --set")->repeats);
  EXPECT_TRUE(flags.at("run experiment")->repeats);
  EXPECT_FALSE(flags.at("run --output")->repeats);
  EXPECT_TRUE(flags.at("flows --flows")->required);
}

// Whoever adds a flag that takes a text says in value_kinds.cpp what may stand behind it.
TEST(ValueKinds, HaveEveryFlagThatTakesAText) {
  for_each_flag(described_program(), [](const DescribedCommand& command, const DescribedFlag& flag) {
    if (flag.value.kind == ValueKind::nothing || flag.value.kind == ValueKind::number) return;
    EXPECT_TRUE(is_listed(flag)) << command.path << ": " << flag.names.back()
                                 << " needs a line in value_kinds.cpp";
  });
}

TEST(ValueKinds, HaveNoFlagThatNoCommandHas) {
  std::set<std::string, std::less<>> names;
  for_each_flag(described_program(), [&](const DescribedCommand&, const DescribedFlag& flag) {
    names.insert(flag.names.begin(), flag.names.end());
  });
  for (const std::string& name : listed_choice_names()) EXPECT_TRUE(names.contains(name)) << name;
}

// The completion of bash looks flags up by their names alone.
TEST(ValueKinds, AreTheSameInEveryCommand) {
  const auto completes = [](ValueKind kind) { return kind != ValueKind::number && kind != ValueKind::text; };
  std::map<std::string, ValueKind> kinds;
  for_each_flag(described_program(), [&](const DescribedCommand& command, const DescribedFlag& flag) {
    for (const std::string& name : flag.names) {
      const ValueKind kind = kinds.emplace(name, flag.value.kind).first->second;
      const bool offers_something = completes(kind) || completes(flag.value.kind);
      EXPECT_TRUE(!offers_something || kind == flag.value.kind) << command.path << ": " << name;
    }
  });
}

// Some words stand in the table for a second time, so it is compared with what the help says.
TEST(ValueKinds, WordsAreThoseOfTheHelp) {
  const std::set<std::string_view> with_words_of_their_own{
      "--fold", "--progress", "--what-would-help",    "--parallel", "--sharding", "--reports",
      "what",   "shell",      "--rendezvous-protocol"};
  std::size_t seen = 0;
  for_each_flag(described_program(), [&](const DescribedCommand& command, const DescribedFlag& flag) {
    if (!with_words_of_their_own.contains(flag.names[0])) return;
    ++seen;
    EXPECT_FALSE(flag.value.words.empty()) << flag.names[0];
    for (const std::string_view word : flag.value.words)
      EXPECT_NE(flag.description.find(word), std::string::npos)
          << command.path << ": " << flag.names[0] << " " << word;
  });
  EXPECT_GE(seen, with_words_of_their_own.size());
}

}  // namespace

}  // namespace orrery::core::described_command_test
