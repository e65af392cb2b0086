#include "report/parallel_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "base/file.hpp"
#include "network/analytical/cost_model.hpp"
#include "report/csv_cell.hpp"
#include "report/staleness.hpp"
#include "report/statistics.hpp"

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

Time total_of(const PassTimes& times) {
  return saturated_sum(saturated_sum(times[0], times[1]), times[2]);
}

// The part's lowest rank alone.
Recording recording_of(const PartRecording& part) {
  Recording recording;
  recording.operations = part.operations;
  recording.slowdown = 0;  // what operations took, not what they would
  return recording;
}

__extension__ using Wide = __int128;

class Summarizer {
 public:
  Summarizer(const ParallelProgram& program, const Machine& machine, const ParallelRecording& recording)
      : program_(program), machine_(machine), recording_(recording), npus_(machine.topology.npus()) {}

  void add_parts(Summary& summary) {
    for (const Dimension& dimension : machine_.topology.dimensions)
      summary.dimensions.push_back({dimension.name, described(dimension), Bytes(), 0});
    for (std::size_t i = 0; i < program_.parts.size(); ++i) {
      PartSummary part{program_.parts[i].name,
                       program_.parts[i].ranks.size(),
                       {},
                       {},
                       {},
                       program_.parts[i].micro_batches_in_flight};
      add_layers(i, part, summary);
      add_dimensions(i, summary);
      for (ExecutionGraph::Id id = 0; id < program_.parts[i].graph.size(); ++id) {
        const Interval& interval = recording_.parts[i].operations[id];
        const Operation& operation = program_.parts[i].graph[id];
        if (operation.kind == OperationKind::receive && !operation.background)
          part.awaits_messages += interval.end - interval.start;
      }
      compute_ps_ += static_cast<Wide>(part.compute.ps()) * static_cast<std::int64_t>(part.npus);
      summary.parts.push_back(part);
    }
    summary.compute = Time::from_ps(static_cast<std::int64_t>(compute_ps_ / machine_.topology.npus()));
  }

 private:
  double share_of(std::size_t part) const {
    return static_cast<double>(program_.parts[part].ranks.size()) / npus_;
  }

  void add_layers(std::size_t i, PartSummary& part, Summary& summary) {
    const ExecutionGraph& graph = program_.parts[i].graph;
    const auto times = layer_times(graph, recording_of(recording_.parts[i]), FinalWait::every_collective);
    for (std::size_t layer = 0; layer < times.size(); ++layer) {
      const auto [known, first] = layer_of_.emplace(graph.layer_names[layer], summary.layers.size());
      if (first) summary.layers.push_back({graph.layer_names[layer], {}, {}, {}});
      LayerSummary& sum = summary.layers[known->second];
      sum.compute += total_of(times[layer].compute);
      sum.communication = saturated_sum(sum.communication, total_of(times[layer].communication));
      sum.exposed += total_of(times[layer].exposed);
      part.compute += total_of(times[layer].compute);
      part.awaits_collectives += total_of(times[layer].exposed);
    }
  }

  // Means over ranks.
  void add_dimensions(std::size_t i, Summary& summary) const {
    const PartRecording& part = recording_.parts[i];
    Recording chunks;
    chunks.chunks = part.chunks;
    chunks.logical_dimensions = static_cast<int>(machine_.dimensions.size());
    const std::vector<Time> served = service_totals(chunks);
    for (std::size_t d = 0; d < summary.dimensions.size(); ++d) {
      DimensionSummary& dimension = summary.dimensions[d];
      dimension.payload +=
          Bytes(static_cast<std::uint64_t>(static_cast<double>(part.payload[d].count()) * share_of(i)));
      dimension.busy += served[d].ns() / summary.total.ns() * share_of(i);
    }
  }

  const ParallelProgram& program_;
  const Machine& machine_;
  const ParallelRecording& recording_;
  const double npus_;
  Wide compute_ps_ = 0;  // of all ranks; a mean in whole picoseconds is never more than the longest
  std::unordered_map<std::string, std::size_t> layer_of_;  // by name
};

}  // namespace

Summary summarize(const std::string& name, int iterations, const ParallelProgram& program,
                  const Machine& machine, const ParallelRecording& recording) {
  Summary summary;
  summary.name = name;
  summary.dialect = machine.dialect.name;
  summary.npus = machine.topology.npus();
  summary.iterations = iterations;
  summary.total = summary.rank_0_total = recording.end();
  Summarizer(program, machine, recording).add_parts(summary);
  summary.bubble = std::max(Time(), recording.without_communication - summary.compute);
  summary.exposed = summary.total - summary.compute - summary.bubble;
  for (int iteration = 0; iteration < iterations; ++iteration) summary.iteration_ends.emplace_back();
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    Recording part;
    part.operations = recording.parts[i].operations;
    const std::vector<Time> ends = iteration_ends(program.parts[i].graph, part);
    for (std::size_t k = 0; k < std::min(ends.size(), summary.iteration_ends.size()); ++k)
      summary.iteration_ends[k] = std::max(summary.iteration_ends[k], ends[k]);
  }
  if (program.parts_train_alike) summary.staleness = largest_staleness(program, recording);
  summary.network_model = machine.network_model;
  summary.busiest_links = busiest_links(recording.links, machine.topology, summary.total);
  summary.network_cost = network_cost(machine.topology);
  summary.messages = recording.messages;
  return summary;
}

std::string parts_csv(const Summary& summary) {
  std::string text =
      "part,npus,compute_us,awaits_messages_us,awaits_collectives_us,idle_us,micro_batches_in_flight\n";
  for (const PartSummary& part : summary.parts)
    text += fmt::format("{},{},{},{},{},{},{}\n", csv_cell(part.name), part.npus, part.compute.us(),
                        part.awaits_messages.us(), part.awaits_collectives.us(),
                        (summary.total - part.compute).us(), part.micro_batches_in_flight);
  return text;
}

std::string timeline_csv(const ParallelProgram& program, const ParallelRecording& recording,
                         TimelineLimit& limit) {
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

void write_parallel_reports(const std::string& folder, const Summary& summary, const ParallelProgram& program,
                            const Machine& machine, const ParallelRecording& recording, Warnings& warnings) {
  write_file_atomically(folder + "parts.csv", parts_csv(summary));
  const std::string timeline = folder + "timeline.csv";
  TimelineLimit limit(program.parts.size());
  write_file_atomically(timeline, timeline_csv(program, recording, limit));
  limit.warn(timeline, warnings);
  if (!recording.links.empty())
    write_file_atomically(folder + "links.csv",
                          links_csv(recording.links, machine.topology, recording.end()));
}

}  // namespace orrery
