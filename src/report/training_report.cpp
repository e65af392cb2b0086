#include "report/training_report.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/file.hpp"
#include "report/timeline_limit.hpp"
#include "workload/training/training_memory.hpp"

namespace orrery {

namespace {

constexpr double gib = 0x1p30;

std::string_view word_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::compute:
      return "pass";
    case OperationKind::collective:
      return "exchange";
    case OperationKind::send:
      return "send";
    case OperationKind::receive:
      return "receive";
    default:
      return {};
  }
}

std::string_view word_of(Pass pass) {
  return pass == Pass::forward ? "forward" : pass == Pass::input_gradient ? "backward" : "update";
}

// Returns lines for the first stages and for the last.
std::string stage_lines(const Summary& run) {
  constexpr std::size_t first_lines = 6;
  if (run.parts.size() < 2) return {};
  std::string text;
  for (std::size_t i = 0; i < run.parts.size(); ++i) {
    if (i == first_lines && i + 1 < run.parts.size()) {
      text += fmt::format("    {} more in stages.csv\n", run.parts.size() - i - 1);
      i = run.parts.size() - 1;
    }
    const PartSummary& part = run.parts[i];
    text += fmt::format("    {:<20} {:>9.1f}% computing, {:.3g} micro-batch{} in flight, {:.1f} GiB\n",
                        part.name, part.compute.ns() / run.total.ns() * 100, part.micro_batches_in_flight,
                        part.micro_batches_in_flight == 1 ? "" : "es", part.memory / gib);
  }
  return text;
}

std::string training_timeline_csv(const Program& program, const Recording& recording, TimelineLimit& limit) {
  std::string text = "stage,operation,what,pass,micro_batch,start_us,end_us\n";
  for (std::size_t stage = 0; stage < program.parts.size(); ++stage) {
    const ExecutionGraph& graph = program.parts[stage].graph;
    limit.begin_part();
    for (ExecutionGraph::Id id = 0; id < graph.size(); ++id) {
      const Operation& operation = graph[id];
      if (word_of(operation.kind).empty() || !limit.take()) continue;
      const Interval& interval = recording.parts[stage].operations[id];
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{}\n", stage, word_of(operation.kind),
                     graph.layer_names[static_cast<std::size_t>(operation.layer)], word_of(operation.pass),
                     operation.micro_batch >= 0 ? std::to_string(operation.micro_batch) : "",
                     interval.start.us(), interval.end.us());
    }
  }
  return text;
}

std::string stages_csv(const TrainingResult& result) {
  std::string text =
      "stage,compute_us,exposed_tensor_us,exposed_context_us,exposed_expert_us,exposed_data_us,"
      "micro_batches_in_flight,weights_bytes,gradients_bytes,optimizer_bytes,activations_bytes,memory_"
      "bytes\n";
  for (std::size_t i = 0; i < result.stages.size(); ++i) {
    const StageResult& stage = result.stages[i];
    text += fmt::format("{},{},{},{},{},{},{},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f}\n", i, stage.compute.us(),
                        stage.exposed[0].us(), stage.exposed[1].us(), stage.exposed[2].us(),
                        stage.exposed[3].us(), stage.micro_batches_in_flight, stage.memory.state.weights,
                        stage.memory.state.gradients, stage.memory.state.optimizer,
                        stage.memory.total() - stage.memory.state.total(), stage.memory.total());
  }
  return text;
}

}  // namespace

Summary summarize(const std::string& name, const TrainingSetup& setup, const TrainingResult& result) {
  Summary summary;
  summary.name = name;
  summary.dialect = native_dialect.name;
  summary.npus = static_cast<int>(setup.gpus());
  summary.iterations = 1;
  summary.total = summary.rank_0_total = result.step;
  summary.compute = result.compute;
  summary.bubble = result.bubble;
  summary.exposed = result.exposed_total();
  summary.iteration_ends = {summary.total};
  TrainingSummary training;
  training.device = setup.device.facts.name;
  training.work = fmt::format("{} {} {}", setup.model.name, setup.model.sequence, setup.plan.global_batch);
  training.tokens_per_second = result.tokens_per_second;
  training.model_flop_utilization = result.model_flop_utilization();
  training.hardware_flop_utilization = result.hardware_flop_utilization();
  for (const Axis axis : all_axes)
    training.axes.push_back({std::string(name_of(axis)), result.exposed[static_cast<std::size_t>(axis)]});
  training.axes.push_back({"pipeline", result.exposed_pipeline});
  training.usable = usable_memory(setup);
  for (const StageResult& stage : result.stages) {
    training.memory = std::max(training.memory, stage.memory.total());
    PartSummary part{stage.name, setup.gpus() / result.stages.size(), stage.compute, {},
                     {},         stage.micro_batches_in_flight};
    part.memory = stage.memory.total();
    summary.parts.push_back(part);
  }
  summary.training = training;
  return summary;
}

std::string training_lines(const Summary& run) {
  const TrainingSummary& training = *run.training;
  std::string text = fmt::format("  tokens per second     {:>15.0f}\n", training.tokens_per_second);
  text += fmt::format("  model FLOP use        {:>14.1f}%  of the devices' peak; hardware FLOP use {:.1f}%\n",
                      training.model_flop_utilization * 100, training.hardware_flop_utilization * 100);
  text += "  exposed along        ";
  for (const TrainingSummary::Axis& axis : training.axes)
    if (axis.exposed > Time()) text += fmt::format(" {} {:.3f} us", axis.name, axis.exposed.us());
  text += fmt::format("\n  memory                {:>11.1f} GiB  on the fullest device, {:.1f} can be used\n",
                      training.memory / gib, training.usable / gib);
  return text + stage_lines(run);
}

std::string training_table(const std::vector<RunRow>& runs) {
  std::size_t name_width = 3;
  for (const RunRow& run : runs) name_width = std::max(name_width, run.name.size());
  std::string text;
  for (const RunRow& run : runs) {
    if (!run.training) continue;
    const TrainingSummary& training = *run.training;
    if (text.empty())
      text = fmt::format("\n{:<{}} {:>12} {:>6} {:>6} {:>11}  exposed along\n", "run", name_width, "tokens/s",
                         "MFU", "HFU", "memory");
    fmt::format_to(std::back_inserter(text), "{:<{}} {:>12.0f} {:>5.1f}% {:>5.1f}% {:>7.1f} GiB ", run.name,
                   name_width, training.tokens_per_second, training.model_flop_utilization * 100,
                   training.hardware_flop_utilization * 100, training.memory / gib);
    for (const TrainingSummary::Axis& axis : training.axes)
      if (axis.exposed > Time())
        text += fmt::format(" {} {:.1f}%", axis.name, axis.exposed.ns() / run.total.ns() * 100);
    text += '\n';
  }
  return text;
}

void write_training_reports(const std::string& folder, const Program& program, const Recording& recording,
                            const TrainingResult& result, Warnings& warnings) {
  write_file_atomically(folder + "stages.csv", stages_csv(result));
  const std::string timeline = folder + "timeline.csv";
  TimelineLimit limit(program.parts.size());
  write_file_atomically(timeline, training_timeline_csv(program, recording, limit));
  limit.warn(timeline, warnings);
}

}  // namespace orrery
