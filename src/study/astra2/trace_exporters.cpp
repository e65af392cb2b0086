#include "study/astra2/trace_exporters.hpp"

#include "report/stored/result_files.hpp"
#include "report/timeline/programs/trace_timeline.hpp"
#include "report/traces/trace_tables.hpp"
#include "study/workloads/traces/trace_workload.hpp"

namespace orrery::core {

const Exporter trace_ranks_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return std::vector{folder + result_file("ranks.csv").name}; },
    .tables =
        [](const RunOutput& run) {
          return std::vector<NamedRows>{
              {result_file("ranks.csv").name,
               ranks_rows(traces_of(run.result), trace_detail(run.result).rules, run.result.recording)}};
        }};

const Exporter trace_timeline_exporter{
    .files = timeline_exporter.files, .write = [](const RunOutput& run) {
      write_timeline(
          TraceTimeline(traces_of(run.result), trace_detail(run.result).rules, run.result.recording),
          run.spec.timelines, run.folder, run.warnings);
    }};

}  // namespace orrery::core
