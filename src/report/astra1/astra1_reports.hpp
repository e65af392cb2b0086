// Writes ASTRA-sim 1.0's own result files, byte for byte, and links.csv (docs/models/reports.md).
#pragma once

#include "report/astra1/result_folder.hpp"
#include "simulate/run/simulation.hpp"

namespace orrery::core {

// Writes EndToEnd.csv, detailed.csv, backend_end_to_end.csv, backend_dim_info.csv, tutorial_result.csv and
// <run name>_dimension_utilization.csv. Without the machine's separate log it writes only those that are not
// per layer. <run name>_dimension_utilization.csv is left out, with a warning, when it would have more than
// ten million lines. links.csv is called <run name>_links.csv where several runs share the files. The caller
// holds the lock of the folder. Throws InputError when files cannot be written.
void write_astra1_reports(const Program& program, const Machine& machine, const Recording& recording,
                          const ResultOptions& options, Warnings& warnings);

}  // namespace orrery::core
