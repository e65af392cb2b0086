#include "study/workloads/transformer_workload.hpp"

#include "collective/library/network_library.hpp"
#include "report/training_explanation.hpp"
#include "report/training_report.hpp"
#include "study/run.hpp"
#include "study/workloads/training_step.hpp"
#include "workload/training/training_communicators.hpp"
#include "workload/training/training_memory.hpp"

namespace orrery {

namespace {

struct TrainingDetail final : RunDetail {
  TrainingDetail(TrainingSetup on_machine, PassDetail written)
      : setup(std::move(on_machine)), costs(setup), pass_detail(written) {}

  TrainingSetup setup;  // as it runs on the machine
  StageCosts costs;     // refers to `setup`
  PassDetail pass_detail;
  TrainingResult result;  // of a concluded run
};

const TrainingDetail& detail_of(const RunResult& result) {
  return static_cast<const TrainingDetail&>(*result.detail);
}

// Collectives within a layer are nodes of their own where they are messages, and where ranks that compute at
// different speeds wait for one another in them.
PassDetail pass_detail_of(const RunSpec& spec) {
  const bool by_library = !spec.has_network() || !spec.system->library.empty();
  return by_library && spec.compute_slowdown.empty() ? PassDetail::one_node : PassDetail::blocks;
}

// Returns the training on a network of one's own, with collectives as the system has them: those of its
// library on the network. Where messages of algorithms carry them out, no closed form says what they take,
// and the setup's library is an ideal one that only serves to lay stages out. Throws InputError when the
// library does not know such a network.
TrainingSetup on_own_network(TrainingSetup setup, const Topology& topology, const SystemConfig& system) {
  if (!system.library.empty()) {
    setup.library = library_on(topology, system.library, system.library_where);
    return setup;
  }
  setup.collectives_are_messages = true;
  ClusterLinks links;
  links.gpus_per_node = topology.npus();
  links.inside = "1000 GB/s";
  setup.library = find_collective_library("ideal", links, system.where);
  return setup;
}

}  // namespace

RunKind TransformerWorkload::kind(const RunSpec& spec) const {
  return spec.has_network() ? RunKind::platform_network : RunKind::platform;
}

void TransformerWorkload::prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const {
  require_training_memory(setup_, spec.allow_out_of_memory, warnings);
  const PassDetail pass_detail = pass_detail_of(spec);
  require_training_program_fits(setup_, pass_detail);
  const auto detail = std::make_shared<TrainingDetail>(
      spec.has_network() ? on_own_network(setup_, *spec.topology, *spec.system) : setup_, pass_detail);
  result.program = training_program(detail->setup, detail->costs, pass_detail);
  if (spec.has_network()) {
    result.machine = machine_of(spec, warnings);
    result.program.communicators =
        on_network(std::move(result.program.communicators), *spec.topology, setup_.where);
  } else {
    result.machine = platform_machine(detail->setup);
  }
  result.detail = detail;
}

void TransformerWorkload::conclude(const RunSpec& /*spec*/, RunResult& result) const {
  auto& detail = static_cast<TrainingDetail&>(*result.detail);
  detail.result =
      training_result(detail.setup, detail.costs, result.program, result.recording, detail.pass_detail);
}

Summary TransformerWorkload::summary(const RunSpec& spec, const RunResult& result) const {
  const TrainingDetail& detail = detail_of(result);
  if (!spec.has_network()) return summarize(spec.name, detail.setup, detail.result);
  Summary summary = Workload::summary(spec, result);
  add_training(summary, detail.setup, detail.result);
  return summary;
}

Workload::PartsFile TransformerWorkload::parts_file(const RunResult& result,
                                                    const Summary& /*summary*/) const {
  return {"stages.csv", stages_csv(detail_of(result).result)};
}

std::string TransformerWorkload::explanation(const RunSpec& spec, const RunResult& result) const {
  std::string text;
  // Of messages no closed form tells what they take.
  if (result.machine.library) text = training_explanation(spec.name, detail_of(result).setup);
  return spec.has_network() ? text + Workload::explanation(spec, result) : text;
}

const TrainingSetup* training_of(const RunSpec& spec) {
  const auto* transformer = dynamic_cast<const TransformerWorkload*>(spec.workload.get());
  return transformer ? &transformer->setup() : nullptr;
}

}  // namespace orrery
