#include "report/timeline.hpp"

#include <fmt/format.h>

#include <tuple>

#include "base/file.hpp"
#include "base/words.hpp"

namespace orrery {

namespace {

// Operations of other kinds have no line.
constexpr std::array<Word<OperationKind>, 4> operation_words{{
    {"compute", OperationKind::compute},
    {"collective", OperationKind::collective},
    {"send", OperationKind::send},
    {"receive", OperationKind::receive},
}};

constexpr Column<TimelineRow> timeline_columns[] = {
    {"part", "", "Name of the part, such as `stage 0`; `all` where all ranks do the same.",
     [](auto& row) { return row.part.empty() ? "all" : row.part; }},
    {"operation", "", "`compute`, `collective`, `send` or `receive`.",
     [](auto& row) { return word_of(operation_words, row.operation.kind); }},
    {"layer", "", "Name of the layer; of training steps the passed part of the model, or what is exchanged.",
     [](auto& row) { return row.layer; }},
    {"pass", "",
     "`forward`, `input-gradient` or `weight-gradient`; of training steps `forward`, `backward` or `update`.",
     [](auto& row) { return row.pass; }},
    {"iteration", "", "Training iteration, from 0.", [](auto& row) { return row.operation.iteration; }},
    {"micro_batch", "", "Micro-batch, from 0; empty for what is not of one.",
     [](auto& row) { return row.operation.micro_batch < 0 ? Cell() : Cell(row.operation.micro_batch); }},
    {"start_us", "us", "When it starts.", [](auto& row) { return row.interval.start; }},
    {"end_us", "us", "When it ends; a send ends when the message has arrived.",
     [](auto& row) { return row.interval.end; }},
};

}  // namespace

const Table<TimelineRow> timeline_table(timeline_columns);

void TimelineLimit::warn(const std::string& file, Warnings& warnings) const {
  if (left_out_ > 0)
    warnings.add({file},
                 fmt::format("holds the first {} operations of each part and leaves out {} others, as it "
                             "may have {} lines; simulate fewer micro-batches or passes to see all",
                             of_part_, left_out_, most_lines));
}

void write_timeline(const std::string& file, const Program& program, const Recording& recording,
                    const PassWords& passes, Warnings& warnings) {
  std::string text = csv_title(timeline_table) + '\n';
  TimelineLimit limit(program.parts.size());
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    const auto& [part, graph] = std::tie(program.parts[i].name, program.parts[i].graph);
    limit.begin_part();
    for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
      const Operation& operation = graph[id];
      if (word_of(operation_words, operation.kind).empty() || !limit.take()) continue;
      const std::string& layer = graph.layer_names[static_cast<std::size_t>(operation.layer)];
      append_csv_row(text, timeline_table,
                     TimelineRow{part, operation, layer, passes[static_cast<std::size_t>(operation.pass)],
                                 recording.parts[i].operations[id]});
      text += '\n';
    }
  }
  write_file_atomically(file, text);
  limit.warn(file, warnings);
}

}  // namespace orrery
