// orrery validate: reads input files and says what is wrong with them.
#include <iostream>

#include "base/file.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/input_kind.hpp"

namespace orrery {

namespace {

int validate(const std::vector<std::string>& files) {
  int result = success;
  for (const std::string& file : files) {
    Warnings warnings;
    try {
      const std::string kind = check_input(read_text_file(file), file, warnings);
      print_warnings(warnings);
      std::cout << file << ": ok, " << kind << '\n';
    } catch (const InputError& error) {
      print_warnings(warnings);
      std::cerr << error.what() << '\n';
      result = bad_input;
    }
  }
  return result;
}

}  // namespace

Command add_validate_command(CLI::App& command) {
  auto files = std::make_shared<std::vector<std::string>>();
  command.add_option("file", *files, "Experiment files, layer tables, system files or network files")
      ->required();
  return [files] { return validate(*files); };
}

}  // namespace orrery
