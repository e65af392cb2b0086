// Results of a program whose ranks do different things. docs/outputs.md lists columns.
#pragma once

#include <string>

#include "report/summary.hpp"
#include "report/timeline_limit.hpp"
#include "simulate/parallel_simulation.hpp"

namespace orrery {

// total = compute + bubble + exposed, each a mean over ranks: the bubble is what ranks would idle if
// communication took no time, which is simulated; the rest of the idle time is exposed communication.
Summary summarize(const std::string& name, int iterations, const ParallelProgram& program,
                  const Machine& machine, const ParallelRecording& recording);

// parts.csv: a line per part.
std::string parts_csv(const Summary& summary);
// timeline.csv: what each part's lowest rank computes, sends, receives and exchanges, in the order of the
// program, as far as the limit allows.
std::string timeline_csv(const ParallelProgram& program, const ParallelRecording& recording,
                         TimelineLimit& limit);

// Writes both and links.csv, the latter where links were simulated, into the folder; warns where the timeline
// is not all of it.
void write_parallel_reports(const std::string& folder, const Summary& summary, const ParallelProgram& program,
                            const Machine& machine, const ParallelRecording& recording, Warnings& warnings);

}  // namespace orrery
