// Results of a program whose ranks do different things. docs/outputs.md lists columns.
#pragma once

#include <string>

#include "report/summary.hpp"
#include "report/timeline_limit.hpp"
#include "simulate/simulation.hpp"

namespace orrery {

// parts.csv: a line per part.
std::string parts_csv(const Summary& summary);
// timeline.csv: what each part's lowest rank computes, sends, receives and exchanges, in the order of the
// program, as far as the limit allows.
std::string timeline_csv(const Program& program, const Recording& recording, TimelineLimit& limit);

// Writes both and links.csv, the latter where links were simulated, into the folder; warns where the timeline
// is not all of it.
void write_parallel_reports(const std::string& folder, const Summary& summary, const Program& program,
                            const Machine& machine, const Recording& recording, Warnings& warnings);

}  // namespace orrery
