// The files that commands write into the folder of an experiment's results, beside the folders of its runs.
// Whoever writes one has its name from here, so that no run can be called so.
#pragma once

#include <array>
#include <string_view>

namespace orrery {

// The folder of a timeline in the profiler's form, in the folder of a run.
inline constexpr std::string_view kineto_folder = "timeline.kineto";

struct ResultFile {
  const char* name;
  // Whether it says what the runs did, so that it means nothing once they are simulated again.
  bool is_of_runs;
};

inline constexpr ResultFile summary_file{"summary.json", true}, runs_file{"runs.csv", true},
    layers_file{"layers.csv", true}, comparisons_file{"comparisons.csv", true},
    crosscheck_file{"crosscheck.csv", true}, critical_path_file{"critical-path.csv", true},
    blame_file{"blame.csv", true}, path_operators_file{"path-operators.csv", true},
    path_exchanges_file{"path-exchanges.csv", true}, sensitivity_file{"sensitivity.csv", true},
    report_file{"report.html", true}, layouts_file{"layouts.csv", false},
    measured_file{"measured.csv", false};

inline constexpr std::array experiment_files{
    summary_file,       runs_file,    layers_file,         comparisons_file,    crosscheck_file,
    critical_path_file, blame_file,   path_operators_file, path_exchanges_file, sensitivity_file,
    report_file,        layouts_file, measured_file};

// Those of `orrery explain`.
inline constexpr std::array path_files{critical_path_file, blame_file, path_operators_file,
                                       path_exchanges_file};

}  // namespace orrery
