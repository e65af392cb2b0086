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

void require_command(const std::vector<Subcommand>& subcommands, const std::string& word) {
  std::vector<std::string> names;
  for (const Subcommand& subcommand : subcommands) names.push_back(subcommand.app->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw InputError({}, "unknown command " + backquoted(word) + ", use " + alternatives(known));
}

int parse_and_run(CLI::App& app, const std::vector<Subcommand>& subcommands,
                  std::vector<std::string> arguments) {
  try {
    for (const Subcommand& subcommand : subcommands) {
      if (!arguments.empty() && subcommand.app->get_name() == arguments[0]) {
        expand_option_prefixes(*subcommand.app, arguments);
      }
    }
    if (!arguments.empty() && !arguments[0].starts_with('-')) require_command(subcommands, arguments[0]);
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
  try {
    CLI::App* run =
        app.add_subcommand("run", "Simulate an experiment file, or one run given by ASTRA-sim 1.0's flags");
    CLI::App* validate = app.add_subcommand("validate", "Check input files without simulating");
    CLI::App* inspect =
        app.add_subcommand("inspect", "Say what is in execution traces and what is wrong with them");
    CLI::App* convert =
        app.add_subcommand("convert", "Write what every rank does as Chakra execution traces");
    CLI::App* roofline = app.add_subcommand("roofline", "Say what matrix products cost on a device");
    CLI::App* list = app.add_subcommand("list", "List what comes with the program: devices");
    const std::vector<Subcommand> subcommands{{run, add_run_command(*run)},
                                              {validate, add_validate_command(*validate)},
                                              {inspect, add_inspect_command(*inspect)},
                                              {convert, add_convert_command(*convert)},
                                              {roofline, add_roofline_command(*roofline)},
                                              {list, add_list_command(*list)}};
    return parse_and_run(app, subcommands, {argv + 1, argv + argc});
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    std::cerr << failure.text << '\n';
    return failure.code;
  }
}

}  // namespace orrery
