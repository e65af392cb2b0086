// orrery manual: writes manual pages.
#include <fmt/format.h>
#include <filesystem>
#include <memory>

#include "base/files/file_writer.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/manual/man_page.hpp"

namespace orrery::core {

namespace {

struct ManualOptions {
  std::vector<std::string> command;  // its words; none: the program
  std::string folder;
};

const DescribedCommand& described_by(const std::vector<std::string>& words, const DescribedCommand& program) {
  const std::string path = fmt::format("{}", fmt::join(words, " "));
  for (const DescribedCommand* command : with_inner_commands(program))
    if (command->path == path) return *command;
  throw InputError({}, "unknown command " + backquoted(path) + ", `orrery --help` lists them");
}

int write_manual(const ManualOptions& options) {
  const DescribedCommand program = described_program();
  if (options.folder.empty()) {
    print(man_page(described_by(options.command, program), program));
    return success;
  }
  if (!options.command.empty())
    throw InputError({"--output"},
                     "is for the pages of all commands, but one is named: leave one of them out");
  require_output_folder(options.folder);
  for (const DescribedCommand* command : with_inner_commands(program)) {
    const std::filesystem::path file =
        std::filesystem::path(options.folder) / (page_name_of(*command) + ".1");
    write_file_atomically(file.string(), man_page(*command, program));
  }
  return success;
}

}  // namespace

Command add_manual_command(CLI::App& command) {
  auto options = std::make_shared<ManualOptions>();
  command.add_option("command", options->command,
                     "The words of the command, such as compute systolic (default: the program)");
  command.add_option("--output", options->folder,
                     "Folder for the pages of all commands, in place of one that is printed");
  return [options](const CommandLine&) { return write_manual(*options); };
}

}  // namespace orrery::core
