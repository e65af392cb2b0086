#include "cli/application.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>
#include <sstream>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/printable.hpp"
#include "base/diagnostics/words.hpp"
#include "cli/commands.hpp"
#include "cli/failure.hpp"
#include "cli/flags/option_prefixes.hpp"
#include "cli/subcommands.hpp"
#include "orrery/program.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

namespace {

// Returns the innermost command with which the arguments begin, as in `compute systolic`; `app` itself if
// they begin with none. Throws InputError when a command follows that does not exist.
CLI::App& named_command(CLI::App& app, const std::vector<std::string>& arguments) {
  CLI::App* named = &app;
  for (const std::string& word : arguments) {
    const auto below = named->get_subcommands([](CLI::App*) { return true; });
    if (below.empty() || word.starts_with('-')) break;
    const auto found = std::ranges::find(below, word, &CLI::App::get_name);
    // A command within another one may be left out where the outer one takes files.
    const auto takes_files = [](const CLI::Option* option) { return option->get_positional(); };
    if (found == below.end() && named != &app && !named->get_options(takes_files).empty()) break;
    if (found == below.end()) {
      std::vector<std::string> names;
      for (const CLI::App* command : below) names.push_back(command->get_name());
      const std::vector<std::string_view> known(names.begin(), names.end());
      throw InputError({}, "unknown command " + backquoted(word) + ", use " + alternatives(known));
    }
    named = *found;
  }
  return *named;
}

// Returns the command line that is meant. ASTRA-sim's flags without a command are those of `run`, because its
// own program takes them so, and `help COMMAND` is `COMMAND --help`.
std::vector<std::string> with_command(const CLI::App& app, std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  const std::string& first = arguments[0];
  if (first == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  } else if (first.starts_with("--") && !app.get_option_no_throw(first)) {
    arguments.insert(arguments.begin(), "run");
  }
  return arguments;
}

// Returns the help of the command that was named, in lines of 80 characters.
std::string help_of(const CLI::App& app) {
  constexpr std::size_t beside_names = 30;  // where CLI11 has descriptions begin
  std::istringstream lines(app.help());
  std::string text;
  for (std::string line; std::getline(lines, line);)
    text += wrapped(line, line.starts_with("  ") ? beside_names : 0) + '\n';
  return text;
}

// Throws InputError where what is given is an empty text, such as a variable of the shell that is not set.
// CLI11 itself refuses `--flag=`, but not `--flag ""`.
void refuse_empty_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    for (const std::string& value : option->results())
      if (value.empty())
        throw InputError({option->get_name()}, "the name or value that is given here is empty; write one");
}

int parse_and_run(CLI::App& app, const std::function<int()>& command, std::vector<std::string> arguments) {
  try {
    const CLI::App& named = named_command(app, arguments);
    if (&named != &app) expand_option_prefixes(named, arguments);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them last first
    app.parse(arguments);
    refuse_empty_values(named);
  } catch (const CLI::CallForHelp&) {
    std::cout << help_of(app);
    return success;
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    std::cerr << printable_lines(std::string("orrery: error: ") + error.what())
              << ", see `orrery --help` or `orrery COMMAND --help`\n";
    return bad_input;
  }
  if (command) return command();
  std::cout << help_of(app);
  return bad_input;
}

int run_command_line(const CommandLine& written) {
  const std::unique_ptr<CLI::App> app = bare_application();
  const std::vector<std::string> arguments = with_command(*app, written);
  // Registering commands takes as long as simulating a small run, so only the command that is named is
  // registered. If none is named, the list of all needs their names and descriptions, but no flags.
  const std::span<const Subcommand> all = subcommands();
  const auto named = arguments.empty() ? all.end() : std::ranges::find(all, arguments[0], &Subcommand::name);
  if (named == all.end()) {
    for (const Subcommand& listed : all) app->add_subcommand(std::string(listed.name), listed.description);
    return parse_and_run(*app, {}, arguments);
  }
  const Command command = add_subcommand(*app, *named);
  return parse_and_run(
      *app, [&] { return command(written); }, arguments);
}

// The output is a result, so an output that is cut short must not look complete.
int check_output(int code) {
  errno = 0;
  std::cout.flush();
  if (std::cout) return code;
  const std::string cause = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  std::cerr << "error: cannot write to standard output" << cause
            << ", check where it leads; what was printed is not complete\n";
  return worse_of(static_cast<ExitCode>(code), bad_input);
}

}  // namespace

int run_application(int argc, char** argv) {
  int code = success;
  try {
    code = run_command_line({argv + 1, argv + argc});
  } catch (...) {
    const RunFailure failure = failure_of(std::current_exception());
    std::cerr << failure.text << '\n';
    code = exit_code_of(failure.kind);
  }
  return check_output(code);
}

}  // namespace orrery::core

namespace orrery {

int run_program(int count, char** words) {
  return core::run_application(count, words);
}

}  // namespace orrery
