#include "cli/application.hpp"

#include <algorithm>
#include <exception>
#include <iostream>

#include "base/diagnostics.hpp"
#include "base/words.hpp"
#include "cli/commands.hpp"
#include "cli/compute_roofline.hpp"
#include "cli/failure.hpp"
#include "cli/option_prefixes.hpp"

namespace orrery {

namespace {

struct Subcommand {
  CLI::App* app;
  Command run;
};

// The innermost command that the arguments begin with, as in `compute systolic`; `app` itself without one.
// Throws InputError when a command follows that does not exist.
CLI::App& named_command(CLI::App& app, const std::vector<std::string>& arguments) {
  CLI::App* named = &app;
  for (const std::string& word : arguments) {
    const auto below = named->get_subcommands([](CLI::App*) { return true; });
    if (below.empty() || word.starts_with('-')) break;
    const auto found = std::ranges::find(below, word, &CLI::App::get_name);
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

// The command line that is meant: ASTRA-sim's flags without a command are those of `run`, as its own program
// takes them, and `help COMMAND` is `COMMAND --help`.
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

int parse_and_run(CLI::App& app, const std::vector<Subcommand>& subcommands,
                  std::vector<std::string> arguments) {
  arguments = with_command(app, std::move(arguments));
  try {
    const CLI::App& named = named_command(app, arguments);
    if (&named != &app) expand_option_prefixes(named, arguments);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them last first
    app.parse(arguments);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    std::cerr << "orrery: error: " << error.what() << ", see `orrery --help` or `orrery COMMAND --help`\n";
    return bad_input;
  }
  for (const Subcommand& subcommand : subcommands) {
    if (subcommand.app->parsed()) return subcommand.run();
  }
  std::cout << app.help();
  return bad_input;
}

}  // namespace

int run_application(int argc, char** argv) {
  CLI::App app{"Simulates distributed deep-learning training: how long a step takes, and why.", "orrery"};
  app.set_version_flag("--version", "orrery 0.1.0");
  app.footer("`orrery help COMMAND` says what a command does. The flags of ASTRA-sim need no command.");
  try {
    CLI::App* run =
        app.add_subcommand("run", "Simulate an experiment file, or one run given by ASTRA-sim 1.0's flags");
    CLI::App* search =
        app.add_subcommand("search", "Find the best layouts of a transformer's training on a platform");
    CLI::App* validate = app.add_subcommand("validate", "Check input files without simulating");
    CLI::App* inspect =
        app.add_subcommand("inspect", "Say what is in execution traces and what is wrong with them");
    CLI::App* convert =
        app.add_subcommand("convert", "Write what every rank does as Chakra execution traces");
    CLI::App* compute = app.add_subcommand(
        "compute", "Say how long an operator takes on a device, or a collective in a library");
    CLI::App* generate =
        app.add_subcommand("generate", "Write the layer table of a network that is split among NPUs");
    CLI::App* list =
        app.add_subcommand("list", "List what comes with the program: devices, models, platforms");
    const std::vector<Subcommand> subcommands{{run, add_run_command(*run)},
                                              {search, add_search_command(*search)},
                                              {validate, add_validate_command(*validate)},
                                              {inspect, add_inspect_command(*inspect)},
                                              {convert, add_convert_command(*convert)},
                                              {compute, add_compute_command(*compute)},
                                              {generate, add_generate_command(*generate)},
                                              {list, add_list_command(*list)}};
    return parse_and_run(app, subcommands, {argv + 1, argv + argc});
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    std::cerr << failure.text << '\n';
    return failure.code;
  }
}

}  // namespace orrery
