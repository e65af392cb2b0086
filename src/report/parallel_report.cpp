#include "report/parallel_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/file.hpp"
#include "report/csv_cell.hpp"

namespace orrery {

namespace {

constexpr std::array<std::string_view, passes_of_a_layer> pass_names{"forward", "input-gradient",
                                                                     "weight-gradient"};

std::string_view kind_name(OperationKind kind) {
  switch (kind) {
    case OperationKind::compute:
      return "compute";
    case OperationKind::collective:
      return "collective";
    case OperationKind::send:
      return "send";
    case OperationKind::receive:
      return "receive";
    default:
      return {};
  }
}

}  // namespace

std::string parts_csv(const Summary& summary) {
  std::string text =
      "part,npus,compute_us,awaits_messages_us,awaits_collectives_us,idle_us,micro_batches_in_flight\n";
  for (const PartSummary& part : summary.parts)
    text += fmt::format("{},{},{},{},{},{},{}\n", csv_cell(part.name), part.npus, part.compute.us(),
                        part.awaits_messages.us(), part.awaits_collectives.us(),
                        (summary.total - part.compute).us(), part.micro_batches_in_flight);
  return text;
}

std::string timeline_csv(const Program& program, const Recording& recording, TimelineLimit& limit) {
  std::string text = "part,operation,layer,pass,iteration,micro_batch,start_us,end_us\n";
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    const ProgramPart& part = program.parts[i];
    limit.begin_part();
    for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id) {
      const Operation& operation = part.graph[id];
      const std::string_view kind = kind_name(operation.kind);
      if (kind.empty() || !limit.take()) continue;
      const Interval& interval = recording.parts[i].operations[id];
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{}\n", csv_cell(part.name), kind,
                     csv_cell(part.graph.layer_names[operation.layer]),
                     pass_names[static_cast<std::size_t>(operation.pass)], operation.iteration,
                     operation.micro_batch >= 0 ? std::to_string(operation.micro_batch) : "",
                     interval.start.us(), interval.end.us());
    }
  }
  return text;
}

void write_parallel_reports(const std::string& folder, const Summary& summary, const Program& program,
                            const Machine& machine, const Recording& recording, Warnings& warnings) {
  if (!summary.parts.empty()) write_file_atomically(folder + "parts.csv", parts_csv(summary));
  const std::string timeline = folder + "timeline.csv";
  TimelineLimit limit(program.parts.size());
  write_file_atomically(timeline, timeline_csv(program, recording, limit));
  limit.warn(timeline, warnings);
  if (!recording.links.empty())
    write_file_atomically(folder + "links.csv",
                          links_csv(recording.links, machine.topology, recording.end()));
}

}  // namespace orrery
