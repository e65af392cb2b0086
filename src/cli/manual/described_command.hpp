// The command line as data: every command with every flag, as the commands themselves add them.
#pragma once

#include <string>
#include <vector>

#include "cli/manual/value_kinds.hpp"

namespace orrery::core {

// A flag, or an argument that is told by its place.
struct DescribedFlag {
  std::vector<std::string> names;  // "-m", "--m"; of an argument its one name, "experiment"
  std::string description;
  std::string default_value;  // empty: none, or one that the description has
  std::string group;          // heading under which the help lists it; empty: the usual one
  ValueChoice value;
  bool required = false;
  bool repeats = false;  // may be given several times, or have several values
};

struct DescribedCommand {
  std::string path;  // words that call it: "compute systolic"; empty for the program itself
  std::string description;
  std::vector<DescribedFlag> flags;
  std::vector<DescribedFlag> arguments;
  std::vector<DescribedCommand> commands;  // commands within it
};

// Returns the program with all that it knows.
DescribedCommand described_program();

// Returns the command and all that are within it, from the outermost to the innermost.
std::vector<const DescribedCommand*> with_inner_commands(const DescribedCommand& command);

// Returns the words with one blank between them.
std::string with_blanks(const std::vector<std::string_view>& words);

// Returns the last word of a command's path, by which it is called within the command around it.
std::string last_word_of(const DescribedCommand& command);

}  // namespace orrery::core
