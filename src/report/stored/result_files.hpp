// The files of results that commands write, and what has to be known of each. Whoever writes one has its name
// from here, so that no run can be called so, and the page about results finds its tables here. A new one is
// a line in the table.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace orrery::core {

// The folder of a timeline in the profiler's form, in the folder of a run.
inline constexpr std::string_view kineto_folder = "timeline.kineto";

enum class ResultLevel : std::uint8_t {
  experiment,  // in the folder of an experiment, beside the folders of its runs
  run          // in the folder of a run, or where flags say
};

struct ResultFile {
  const char* name;
  ResultLevel level;
  // Whether the page about results shows it as a table.
  bool on_page;
  // Whether it says what the runs did, so that it means nothing once they are simulated again.
  bool is_of_runs = true;
};

// ASTRA-sim 1.0's totals are not among them: everything in them stands in summary.json, too.
inline constexpr ResultFile result_files[] = {
    {"summary.json", ResultLevel::experiment, false},
    {"runs.csv", ResultLevel::experiment, true},
    {"layers.csv", ResultLevel::experiment, true},
    {"comparisons.csv", ResultLevel::experiment, true},
    {"crosscheck.csv", ResultLevel::experiment, true},
    {"critical-path.csv", ResultLevel::experiment, true},
    {"blame.csv", ResultLevel::experiment, true},
    {"path-operators.csv", ResultLevel::experiment, true},
    {"path-exchanges.csv", ResultLevel::experiment, true},
    {"sensitivity.csv", ResultLevel::experiment, true},
    {"report.html", ResultLevel::experiment, false},
    {"layouts.csv", ResultLevel::experiment, true, false},
    {"measured.csv", ResultLevel::experiment, true, false},
    {"parts.csv", ResultLevel::run, true},
    {"stages.csv", ResultLevel::run, true},
    {"rank-times.csv", ResultLevel::run, true},
    {"timeline.csv", ResultLevel::run, true},
    {"links.csv", ResultLevel::run, true},
    {"ranks.csv", ResultLevel::run, true},
    {"nodes.csv", ResultLevel::run, true},
    {"messages.csv", ResultLevel::run, true},
    {"latencies.csv", ResultLevel::run, true},
    {"switches.csv", ResultLevel::run, true},
    {"flows.csv", ResultLevel::run, true},
    {"link-history.csv", ResultLevel::run, true},
    {"switch-history.csv", ResultLevel::run, true},
    {"memory-history.csv", ResultLevel::run, true},
    {"topology-nodes.csv", ResultLevel::run, true},
    {"topology-links.csv", ResultLevel::run, true},
    {"topology-history.csv", ResultLevel::run, true},
    {"EndToEnd.csv", ResultLevel::run, true},
    {"detailed.csv", ResultLevel::run, true},
    {"dimension_utilization.csv", ResultLevel::run, true},
};

// Returns the file's line of the table. A name that is not in it does not compile.
consteval const ResultFile& result_file(std::string_view name) {
  for (const ResultFile& file : result_files)
    if (file.name == name) return file;
  throw "there is no such line in the table";
}

inline constexpr ResultFile summary_file = result_file("summary.json"), runs_file = result_file("runs.csv"),
                            layers_file = result_file("layers.csv"),
                            comparisons_file = result_file("comparisons.csv"),
                            crosscheck_file = result_file("crosscheck.csv"),
                            critical_path_file = result_file("critical-path.csv"),
                            blame_file = result_file("blame.csv"),
                            path_operators_file = result_file("path-operators.csv"),
                            path_exchanges_file = result_file("path-exchanges.csv"),
                            sensitivity_file = result_file("sensitivity.csv"),
                            report_file = result_file("report.html"),
                            layouts_file = result_file("layouts.csv"),
                            measured_file = result_file("measured.csv");

// Those in the folder of an experiment.
inline constexpr auto experiment_files = [] {
  constexpr auto is_one = [](const ResultFile& file) { return file.level == ResultLevel::experiment; };
  std::array<ResultFile, std::ranges::count_if(result_files, is_one)> files{};
  std::ranges::copy_if(result_files, files.begin(), is_one);
  return files;
}();

// Those of `orrery explain`.
inline constexpr std::array path_files{critical_path_file, blame_file, path_operators_file,
                                       path_exchanges_file};

// Returns the name of the table that a file holds, which is that of the file without ".csv"; empty if the
// page does not show it. ASTRA-sim 1.0's flags put the name of the run and an underscore in front.
std::string_view page_table_of(std::string_view file);

// Returns whether a file of this name may be in a folder of results, or would be taken for such a one.
bool is_name_of_results(std::string_view name);

}  // namespace orrery::core
