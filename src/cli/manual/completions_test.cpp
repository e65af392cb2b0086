#include "cli/manual/completions.hpp"

#include <gtest/gtest.h>

namespace orrery::core::completions_test {

namespace {

// Returns how fish is told of a flag; bash and zsh take it as users write it.
std::string as_written(std::string_view shell, const std::string& name) {
  if (shell != "fish") return name;
  return name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1);
}

// scripts/test-completions tries the scripts in the shells.
TEST(Completions, HaveEveryCommandFlagAndWord) {
  const DescribedCommand program = described_program();
  for (const auto& [shell, completion] : completion_shells) {
    const std::string script = completion(program);
    for (const DescribedCommand* command : with_inner_commands(program)) {
      EXPECT_NE(script.find(last_word_of(*command)), std::string::npos) << shell << ": " << command->path;
      for (const DescribedFlag& flag : command->flags) {
        for (const std::string& name : flag.names)
          EXPECT_NE(script.find(as_written(shell, name)), std::string::npos) << shell << ": " << name;
        for (const std::string_view word : flag.value.words) {
          if (word.find(':') != std::string_view::npos) continue;  // zsh has it escaped
          EXPECT_NE(script.find(word), std::string::npos) << shell << ": " << flag.names[0] << " " << word;
        }
      }
    }
  }
}

TEST(Completions, QuoteDescriptions) {
  const DescribedFlag flag{{"--of"}, "A user's [word]: one", {}, {}, {ValueKind::word, {"2:4"}}, false,
                           false};
  const DescribedCommand command{"x", "Do it", {flag}, {}, {}};
  const DescribedCommand program{"", "The program", {}, {}, {command}};
  EXPECT_NE(zsh_completion(program).find(R"('--of=[A user'\''s \[word\]\: one]:WORD:(2\:4)')"),
            std::string::npos);
  EXPECT_NE(fish_completion(program).find(R"(-l of -x -a '2:4' -d 'A user\'s [word]: one')"),
            std::string::npos);
  EXPECT_NE(bash_completion(program).find("'--of') echo 'word 2:4' ;;"), std::string::npos);
}

}  // namespace

}  // namespace orrery::core::completions_test
