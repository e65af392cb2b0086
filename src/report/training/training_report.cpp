#include "report/training/training_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text/readable.hpp"
#include "report/training/training_accuracy.hpp"
#include "workload/training/training_memory.hpp"
#include "workload/transformer/layout_text.hpp"

namespace orrery::core {

struct StageRow {
  std::size_t stage;
  const StageResult& result;
};

namespace {

Real whole_bytes(double bytes) {
  return {bytes, 0};
}

Time exposed_along(const StageRow& row, Axis axis) {
  return row.result.exposed[static_cast<std::size_t>(axis)];
}

// Returns the class of links, or of that whose constants the user changes.
std::string link_class_of(const LinkChoice& links) {
  const InputNode* const base = links.is_word() ? nullptr : links.node().find("base");
  return base ? base->text : links.is_word() ? links.text() : "links of one's own";
}

std::string links_text(const ClusterLinks& links) {
  std::string text = fmt::format("{} in nodes of {}", link_class_of(links.inside), links.gpus_per_node);
  if (!links.between.empty()) text += fmt::format(", {} between them", link_class_of(links.between));
  return text;
}

// Returns the names of some kinds with commas between them.
std::string listed(const std::set<CollectiveKind>& kinds) {
  std::string text;
  for (const CollectiveKind kind : kinds) text.append(text.empty() ? "" : ", ").append(name_of(kind));
  return text;
}

constexpr Column<StageRow> stage_columns[] = {
    {"stage", "", "Number of the stage, from 0.", [](auto& row) { return row.stage; }},
    {"compute_us", "us", "Time in which its devices compute, as a mean over them.",
     [](auto& row) { return row.result.time.compute; }},
    {"update_us", "us", "The part of it in which it updates its weights.",
     [](auto& row) { return row.result.time.update; }},
    {"bubble_us", "us", "Time in which it waits and would wait even if communication took no time.",
     [](auto& row) { return row.result.time.bubble; }},
    {"exposed_us", "us",
     "Exposed communication: all other time in which it waits. The next five columns are its parts.",
     [](auto& row) { return row.result.time.exposed; }},
    {"exposed_tensor_us", "us", "The part in which it waits for collectives of tensor parallelism.",
     [](auto& row) { return exposed_along(row, Axis::tensor); }},
    {"exposed_context_us", "us", "The part in which it waits for collectives of context parallelism.",
     [](auto& row) { return exposed_along(row, Axis::context); }},
    {"exposed_expert_us", "us", "The part in which it waits for collectives of expert parallelism.",
     [](auto& row) { return exposed_along(row, Axis::expert); }},
    {"exposed_data_us", "us", "The part in which it waits for collectives of data parallelism.",
     [](auto& row) { return exposed_along(row, Axis::data); }},
    {"exposed_pipeline_us", "us", "The part in which it waits for messages between stages.",
     [](auto& row) { return row.result.exposed_pipeline; }},
    {"idle_us", "us", "Time after its own end, until the last stage has ended.",
     [](auto& row) { return row.result.time.idle; }},
    {"micro_batches_in_flight", "",
     "Most micro-batches whose activations it keeps at once. Activations of some of its layers count as that "
     "share of a micro-batch.",
     [](auto& row) { return row.result.micro_batches_in_flight; }},
    {"weights_bytes", "bytes", "Weights that each of its devices keeps.",
     [](auto& row) { return whole_bytes(row.result.memory.state.weights); }},
    {"gradients_bytes", "bytes", "Gradients that each of its devices keeps.",
     [](auto& row) { return whole_bytes(row.result.memory.state.gradients); }},
    {"optimizer_bytes", "bytes", "State of the optimizer that each of its devices keeps.",
     [](auto& row) { return whole_bytes(row.result.memory.state.optimizer); }},
    {"activations_bytes", "bytes", "Everything else that training keeps on each of its devices.",
     [](auto& row) { return whole_bytes(row.result.memory.total() - row.result.memory.state.total()); }},
    {"memory_bytes", "bytes", "Sum of all these kinds.",
     [](auto& row) { return whole_bytes(row.result.memory.total()); }},
};

}  // namespace

const Table<StageRow> stage_table(stage_columns);

Summary summarize(const std::string& name, const TrainingSetup& setup, const TrainingResult& result,
                  double interval_share) {
  Summary summary;
  summary.name = name;
  summary.dialect = native_dialect.name;
  summary.npus = static_cast<int>(setup.gpus());
  summary.iterations = 1;
  summary.has_network = false;
  add_training(summary, setup, result, interval_share);
  summary.training->links = links_text(setup.library->links());
  return summary;
}

void add_training(Summary& summary, const TrainingSetup& setup, const TrainingResult& result,
                  double interval_share) {
  summary.total = result.step;
  summary.rank_0_total = result.rank_0_end;
  summary.last_rank = result.last_rank;
  summary.time = result.time;
  summary.iteration_ends = {summary.total};
  TrainingSummary training;
  training.device = setup.device.facts.name;
  training.model = setup.model.name;
  training.software = setup.stack.name;
  training.software_is_named = setup.stack_is_named;
  training.layout = layout_text(setup.plan);
  training.tokens_per_second = result.tokens_per_second;
  training.model_flop_utilization = result.model_flop_utilization();
  training.hardware_flop_utilization = result.hardware_flop_utilization();
  for (const Axis axis : all_axes)
    if (const auto index = static_cast<std::size_t>(axis); setup.mesh().size(mesh_axis(axis)) > 1)
      training.axes.push_back(
          {std::string(name_of(axis)), result.exposed[index], listed(result.collectives[index])});
  if (setup.plan.pipeline > 1) training.axes.push_back({"pipeline", result.exposed_pipeline, {}});
  training.usable = usable_memory(setup);
  training.device_memory = setup.device.facts.memory_size.as_double();
  summary.parts.clear();
  summary.layers.clear();  // chunks of the pipeline are none
  if (setup.plan.forward_only)
    training.inference = {.phase = setup.plan.decodes() ? "decode" : "prefill",
                          .largest_batch = largest_inference_batch(setup)};
  for (const StageResult& stage : result.stages) {
    if (training.inference && stage.memory.total() > training.memory) {
      training.inference->weights = stage.memory.state.weights;
      training.inference->cache = stage.memory.cache;
    }
    training.memory = std::max(training.memory, stage.memory.total());
    PartSummary part{stage.name, setup.gpus() / result.stages.size(), stage.time, {},
                     {},         stage.micro_batches_in_flight};
    part.memory = stage.memory.total();
    summary.parts.push_back(part);
  }
  summary.accuracy = step_accuracy(setup, interval_share);
  // No step is so short that devices would exceed their peak.
  summary.accuracy->time.low = std::max(summary.accuracy->time.low, training.hardware_flop_utilization);
  summary.training = training;
}

std::string software_line(const TrainingSummary& training) {
  return report_line("software", training.software, training.software_is_named ? "" : "no `stack` is named");
}

std::string training_lines(const Summary& run) {
  const TrainingSummary& training = *run.training;
  std::string text = software_line(training);
  text += report_line("tokens per second", readable_count(training.tokens_per_second));
  text += report_line("model FLOP use", readable_share(training.model_flop_utilization),
                      fmt::format("of the devices' peak; hardware FLOP use {}",
                                  readable_share(training.hardware_flop_utilization)));
  for (const TrainingSummary::Axis& axis : training.axes)
    if (axis.exposed > Time()) text += report_line("exposed along " + axis.name, readable(axis.exposed));
  text += report_line("memory", readable_bytes(training.memory),
                      fmt::format("on the fullest device; {} can be used", readable_bytes(training.usable)));
  if (!training.inference) return text;
  text += report_line("weights", readable_bytes(training.inference->weights));
  if (training.inference->cache > 0)
    text += report_line("keys and values", readable_bytes(training.inference->cache));
  return text + report_line("largest batch", std::to_string(training.inference->largest_batch),
                            "sequences would fit");
}

TableRows stages_rows(const TrainingResult& result) {
  std::vector<StageRow> rows;
  for (const StageResult& stage : result.stages) rows.push_back({rows.size(), stage});
  return {stage_table, std::move(rows)};
}

}  // namespace orrery::core
