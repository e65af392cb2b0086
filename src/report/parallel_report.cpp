#include "report/parallel_report.hpp"

#include "base/file.hpp"
#include "report/run_tables.hpp"
#include "report/timeline.hpp"

namespace orrery {

void write_parallel_reports(const std::string& folder, const Summary& summary, const Program& program,
                            const Machine& machine, const Recording& recording, Warnings& warnings) {
  if (!summary.parts.empty())
    write_file_atomically(folder + "parts.csv", csv_of(part_table, part_rows(summary)));
  write_timeline(folder + "timeline.csv", program, recording, layer_passes, warnings);
  if (!recording.links.empty())
    write_file_atomically(folder + "links.csv",
                          links_csv(recording.links, machine.topology, recording.end()));
}

}  // namespace orrery
