#include "study/workloads/layer_table/layer_table_workload.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/encoding/sha256.hpp"
#include "report/accuracy/model_accuracy.hpp"
#include "report/memory/table_memory_history.hpp"
#include "study/run/run.hpp"
#include "study/workloads/layer_table/layer_table_work.hpp"
#include "study/workloads/whole_machine.hpp"
#include "topology/received_bandwidth.hpp"
#include "workload/astra1/training_loops.hpp"
#include "workload/astra1/unused_collectives.hpp"
#include "workload/generate/data_parallel_exchanges.hpp"
#include "workload/generate/gradient_buckets.hpp"
#include "workload/generate/host_time.hpp"
#include "workload/generate/layer_contention.hpp"
#include "workload/parameter_server/parameter_server_program.hpp"
#include "workload/pipeline/pipeline_program.hpp"

namespace orrery::core {

namespace {

GroupLayout laid_out(const LayerTable& table, const RunSpec& spec, Warnings& warnings) {
  const GroupLayout layout = lay_out_group(table, *spec.topology, spec.dialect, warnings);
  if (spec.topology->dimensions.size() + (layout.split ? 1 : 0) > static_cast<std::size_t>(max_dimensions)) {
    throw InputError(table.where_of_group(),
                     "splitting a dimension for the model-parallel group makes more than " +
                         std::to_string(max_dimensions) + " dimensions, choose another group size");
  }
  return layout;
}

Program layer_table_program(const RunSpec& spec, const LayerTable& table, const GroupLayout& layout,
                            Warnings& warnings) {
  ExecutionGraph graph =
      training_graph(table, layout, spec.passes, spec.dialect, {spec.compute_scale, spec.comm_scale});
  if (spec.passes > 0 && spec.comm_scale > 0) warn_of_unused_collectives(table, graph, warnings);
  return whole_machine_program(std::move(graph), *spec.topology, layout.split);
}

Program program_of(const LayerTable& table, const RunSpec& spec, RunResult& result, Warnings& warnings) {
  const Scales scales{spec.compute_scale, spec.comm_scale};
  if (table.pipeline && !table.parameter_server)
    return pipeline_program(table, *spec.topology, spec.passes, spec.dialect, scales);
  const GroupLayout layout = laid_out(table, spec, warnings);
  result.split = layout.split;
  if (table.parameter_server)
    return parameter_server_program(table, *spec.topology, layout, spec.passes, spec.dialect, scales);
  return layer_table_program(spec, table, layout, warnings);
}

// Returns whether NPUs need nothing of each other's activations.
bool exchanges_gradients_alone(TrainingPolicy policy) {
  return policy == TrainingPolicy::data || policy == TrainingPolicy::data_reorder;
}

// Layers that give their times themselves are told apart by what they compute and exchange.
std::string work_of_layers(const LayerTable& table) {
  Sha256 content;
  for (const Layer& layer : table.layers) {
    content.add(layer.name);
    for (const LayerStep* step : {&layer.forward, &layer.input_gradient, &layer.weight_gradient})
      content.add(fmt::format(" {} {}", step->compute.ps(), step->communicates() ? step->size.count() : 0));
  }
  constexpr std::size_t digits = 12;
  return fmt::format("{} layers {}", table.layers.size(), content.digits().substr(0, digits));
}

// Returns how many samples all NPUs train on in a step.
double samples_of_step(const LayerTable& table, const RunSpec& spec) {
  const auto& servers = table.parameter_server;
  const int serving = servers && !servers->servers_train ? servers->servers.value_or(0) : 0;
  return double(table.samples) * (table.ddp ? table.ddp->micro_batches : 1) *
         (spec.topology->npus() - serving);
}

double steps_of(const Epoch& epoch, double samples_of_step) {
  return std::ceil(epoch.samples / samples_of_step);
}

void check_epoch(const Epoch& epoch, double samples_of_step, int passes) {
  if (passes < 2)
    throw InputError(epoch.where,
                     "the time of an epoch needs a step that follows another one; write `passes: 2` or more");
  if (steps_of(epoch, samples_of_step) < passes)
    throw InputError(epoch.where,
                     fmt::format("the epoch has {} steps, fewer than the `passes`; write fewer of these",
                                 steps_of(epoch, samples_of_step)));
}

// The steps that are not simulated take as long as the last one that is.
double seconds_of_epoch(const Epoch& epoch, double samples_of_step, const Summary& run) {
  const std::vector<Time>& ends = run.iteration_ends;
  const Time step = ends.back() - ends[ends.size() - 2];
  return 1e-9 * (run.total.ns() + step.ns() * (steps_of(epoch, samples_of_step) - double(ends.size())));
}

}  // namespace

LayerTableWorkload::LayerTableWorkload(LayerTable table)
    : table_(std::move(table)), work_(work_of_layers(table_)) {}

LayerTableWorkload::LayerTableWorkload(TrainedModel trained)
    : table_(std::move(trained.table)),
      work_(trained.work.empty() ? work_of_layers(table_) : std::move(trained.work)),
      memory_(std::move(trained.memory)),
      table_memory_(std::move(trained.table_memory)),
      operators_(std::move(trained.operators)),
      inferred_samples_(trained.inferred_samples) {}

RunKind LayerTableWorkload::kind(const RunSpec& /*spec*/) const {
  if (table_.parameter_server)
    return exchanges_gradients_alone(table_.policy) ? RunKind::parameter_server
                                                    : RunKind::parameter_server_and_collectives;
  return table_.pipeline ? RunKind::pipeline : RunKind::collectives;
}

void LayerTableWorkload::prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const {
  if (memory_) require_memory(*memory_, spec.allow_out_of_memory, warnings);
  if (table_.epoch) check_epoch(*table_.epoch, samples_of_step(table_, spec), spec.passes);
  result.machine = machine_of(spec, warnings);
  const int npus = spec.topology->npus();
  const LayerTable trained = in_buckets(with_data_parallel_exchanges(with_host_time(contended(spec), npus)));
  result.program = program_of(trained, spec, result, warnings);
  if (result.program.is_uniform()) result.program.where = table_.where;
}

LayerTable LayerTableWorkload::contended(const RunSpec& spec) const {
  const bool has_collectives = kind(spec) != RunKind::parameter_server;
  if (!operators_.device || !has_collectives || !spec.dialect.contends_at_endpoints) return table_;
  const EndpointLoad load = endpoint_load(operators_.device->facts, received_per_second(*spec.topology),
                                          memory_passes_of_reductions);
  if (load == EndpointLoad()) return table_;
  std::shared_ptr<const Contended> made;
  {
    const std::scoped_lock lock(mutex_);
    made = last_;
  }
  if (!made || made->load != load) {
    made = std::make_shared<const Contended>(Contended{load, with_contention(table_, operators_, load)});
    const std::scoped_lock lock(mutex_);
    last_ = made;
  }
  return made->table;
}

std::unique_ptr<ComputedWork> LayerTableWorkload::computed_work(const RunSpec& spec,
                                                                const RunResult& result) const {
  return work_of_table(table_, operators_, result.program, spec.compute_scale);
}

// The errors are those of our own rules, and of models whose NPUs add up gradients among themselves.
bool LayerTableWorkload::has_measured_kin(const RunSpec& spec) const {
  return operators_.device && spec.dialect.name == native_dialect.name && kind(spec) == RunKind::collectives;
}

Summary LayerTableWorkload::summary(const RunSpec& spec, const RunResult& result) const {
  Summary summary = Workload::summary(spec, result);
  if (memory_) summary.memory = *memory_;
  if (has_measured_kin(spec))
    summary.accuracy = model_accuracy(operators_.device->facts,
                                      static_cast<std::uint64_t>(spec.topology->npus()), spec.interval);
  if (table_.epoch)
    summary.epoch_seconds = seconds_of_epoch(*table_.epoch, samples_of_step(table_, spec), summary);
  if (inferred_samples_ > 0 && summary.total > Time())
    summary.inferred_per_second = inferred_samples_ * summary.iterations / Seconds::of(summary.total).count();
  if (!summary.served) return summary;
  const ParameterServerOptions& servers = *table_.parameter_server;
  TrainingPace& pace = summary.served->pace;
  if (servers.synchronous) pace.mean_staleness = 0;
  if (!servers.convergence) return summary;
  const double rate = pace.steps_per_second * static_cast<double>(pace.parts);
  const auto steps = servers.convergence->steps_at(pace.mean_staleness);
  if (steps && rate > 0) summary.served->seconds_to_accuracy = *steps / rate;
  return summary;
}

// The memory of parameter servers is not known.
std::vector<PartMemory> LayerTableWorkload::memory_history(const RunResult& result) const {
  if (!memory_ || table_.parameter_server) return {};
  return memory_of_table(table_memory_, result.program, result.recording);
}

}  // namespace orrery::core
