// Lists the commands of the program. A new one is a file in commands/ and a line here.
#pragma once

#include <span>
#include <string_view>

#include "cli/commands.hpp"

namespace orrery::core {

struct Subcommand {
  std::string_view name;
  const char* description;
  Command (*add_to)(CLI::App&);
};

// Returns the commands in the order in which the program lists them.
std::span<const Subcommand> subcommands();

// Adds the name, description and flags of a command, also the flags that every command has. Returns what
// carries it out.
Command add_subcommand(CLI::App& app, const Subcommand& added);

// Returns the application without its commands.
std::unique_ptr<CLI::App> bare_application();

}  // namespace orrery::core
