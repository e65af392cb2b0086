// Results of a program whose ranks do different things. docs/outputs.md lists columns.
#pragma once

#include <string>

#include "report/summary.hpp"
#include "simulate/simulation.hpp"

namespace orrery {

// Writes parts.csv, timeline.csv and links.csv, the last where links were simulated, into the folder; warns
// where the timeline is not all of it.
void write_parallel_reports(const std::string& folder, const Summary& summary, const Program& program,
                            const Machine& machine, const Recording& recording, Warnings& warnings);

}  // namespace orrery
