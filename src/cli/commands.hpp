// The sub-commands. Each adds itself to the application and returns what to call when it was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::core {

// Exit codes of the program.
enum ExitCode : int { success = 0, internal_error = 1, bad_input = 2, stalled = 3 };

// The words of the command line, as they were written, without the program's own path.
using CommandLine = std::vector<std::string>;
// Carries out a command, of which `written` is the whole line. Returns the exit code.
using Command = std::function<int(const CommandLine& written)>;

Command add_run_command(CLI::App& app);
Command add_sweep_command(CLI::App& app);
Command add_results_command(CLI::App& app);
Command add_report_command(CLI::App& app);
Command add_search_command(CLI::App& app);
Command add_validate_command(CLI::App& app);
Command add_inspect_command(CLI::App& app);
Command add_topology_command(CLI::App& app);
Command add_convert_command(CLI::App& app);
Command add_compute_command(CLI::App& app);
Command add_generate_command(CLI::App& app);
Command add_compare_command(CLI::App& app);
Command add_flows_command(CLI::App& app);
Command add_crosscheck_command(CLI::App& app);
Command add_explain_command(CLI::App& app);
Command add_sensitivity_command(CLI::App& app);
Command add_list_command(CLI::App& app);
Command add_manual_command(CLI::App& app);
Command add_completions_command(CLI::App& app);

// Returns the words for what `orrery list` lists.
std::vector<std::string_view> words_of_lists();

// Commands within `compute`: one for each kind of device, and one for collectives.
Command add_compute_systolic(CLI::App& app);
Command add_compute_roofline(CLI::App& app);
Command add_compute_kernels(CLI::App& app);
Command add_compute_collective(CLI::App& app);

}  // namespace orrery::core
