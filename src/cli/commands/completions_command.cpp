// orrery completions: prints what completes command lines in a shell.
#include <memory>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/manual/completions.hpp"

namespace orrery::core {

Command add_completions_command(CLI::App& command) {
  auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "The shell: bash, zsh or fish");
  return [shell](const CommandLine&) -> int {
    if (shell->empty())
      throw InputError({}, "name the shell that is to complete command lines, " +
                               alternatives(words_of(completion_shells)));
    const auto completion = value_of(completion_shells, *shell);
    if (!completion)
      throw InputError({}, "there are no completions for " + backquoted(*shell) + ", use " +
                               alternatives(words_of(completion_shells)));
    print((*completion)(described_program()));
    return success;
  };
}

}  // namespace orrery::core
