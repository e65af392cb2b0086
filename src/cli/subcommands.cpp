#include "cli/subcommands.hpp"

#include "cli/progress_line.hpp"
#include "cli/version_text.hpp"

namespace orrery::core {

namespace {

constexpr Subcommand all_subcommands[] = {
    {"run", "Simulate an experiment file, or one run given by ASTRA-sim 1.0's flags", add_run_command},
    {"sweep", "Simulate all runs of an experiment's sweep, and keep them in a file", add_sweep_command},
    {"results", "Show the runs that a sweep has left in its file", add_results_command},
    {"report", "Show results as a page for a browser", add_report_command},
    {"search", "Find the best layouts of a transformer's training on a platform", add_search_command},
    {"validate", "Check input files without simulating", add_validate_command},
    {"inspect", "Say what is in execution traces and what is wrong with them", add_inspect_command},
    {"topology", "Say what a network is made of and what it can carry", add_topology_command},
    {"convert", "Write what every rank does as Chakra execution traces", add_convert_command},
    {"compute", "Say how long an operator takes on a device, or a collective in a library",
     add_compute_command},
    {"generate", "Write the layer table of a network that is split among NPUs", add_generate_command},
    {"crosscheck", "Say what every network model makes of an experiment", add_crosscheck_command},
    {"compare", "Say what changes from one run to others, by the results that they left",
     add_compare_command},
    {"explain", "Say what the time of an experiment's runs goes to, along the critical path",
     add_explain_command},
    {"sensitivity", "Say which parameter of a run's machine would make it shorter, and by how much",
     add_sensitivity_command},
    {"calibrate", "Fit constants of a machine or of its software to measurements of your own",
     add_calibrate_command},
    {"flows", "Say when flows that share a network end", add_flows_command},
    {"list", "List what comes with the program: devices, models, platforms", add_list_command},
    {"manual", "Write the manual page of a command, or of all", add_manual_command},
    {"completions", "Write what completes command lines in a shell", add_completions_command},
};

}  // namespace

std::span<const Subcommand> subcommands() {
  return all_subcommands;
}

Command add_subcommand(CLI::App& app, const Subcommand& added) {
  CLI::App& command = *app.add_subcommand(std::string(added.name), added.description);
  Command carried_out = added.add_to(command);
  add_progress(command);
  return carried_out;
}

std::unique_ptr<CLI::App> bare_application() {
  auto app = std::make_unique<CLI::App>(
      "Simulates distributed deep-learning training: how long a step takes, and why.", "orrery");
  app->set_version_flag("--version", version_text);
  app->footer("`orrery help COMMAND` says what a command does. The flags of ASTRA-sim need no command.");
  return app;
}

}  // namespace orrery::core
