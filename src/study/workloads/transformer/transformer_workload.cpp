#include "study/workloads/transformer/transformer_workload.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>

#include "collective/library/library_sends.hpp"
#include "collective/library/network_library.hpp"
#include "report/stored/result_files.hpp"
#include "report/training/training_explanation.hpp"
#include "report/training/training_memory_history.hpp"
#include "report/training/training_report.hpp"
#include "simulate/folding/symmetry.hpp"
#include "study/run/run.hpp"
#include "study/workloads/transformer/exchanges_within_passes.hpp"
#include "study/workloads/transformer/private_layers.hpp"
#include "study/workloads/transformer/transformer_work.hpp"
#include "topology/graph/relays/relaying.hpp"
#include "topology/received_bandwidth.hpp"
#include "workload/training/contended_platform.hpp"
#include "workload/training/training_memory.hpp"

namespace orrery::core {

namespace {

struct TrainingDetail final : RunDetail {
  TrainingDetail(TrainingSetup on_machine, PassDetail written)
      : setup(std::move(on_machine)), costs(setup), pass_detail(written) {}

  TrainingSetup setup;  // as it runs on the machine
  StageCosts costs;     // refers to `setup`
  PassDetail pass_detail;
  // Set where collectives within layers take known times and their messages are not simulated.
  std::optional<ExchangesWithinPasses> within_passes;
  TrainingNotes notes;    // where what each class of ranks does is recorded
  TrainingResult result;  // of a concluded run
};

const TrainingDetail& detail_of(const RunResult& result) {
  return static_cast<const TrainingDetail&>(*result.detail);
}

// Returns whether collectives within layers, as messages on the run's network, may take the time that they
// take alone, if they have links for themselves that never change: the network does not remember them, and
// with ZeRO 2 and 3 weights and gradients of layers would go over other links.
bool takes_may_be_known(const RunSpec& spec, const TrainingSetup& setup, bool fold) {
  const bool by_messages = spec.has_network() && !spec.system->library;
  const NetworkSetup& network = spec.network;
  if (!by_messages || (network.model->remembers && network.model->remembers(network.packets.get())))
    return false;
  return fold && !spec.every_collective && setup.plan.zero < 2;
}

// Returns whether they do take that time. Links that are watched need every message, and NPUs that pass
// messages on take them over links of layers.
bool takes_are_known(const RunSpec& spec, const Machine& machine, const TrainingSetup& setup, bool fold) {
  return takes_may_be_known(spec, setup, fold) && why_not(Shortcut::known_times, machine).empty() &&
         layers_have_private_links(setup, *spec.topology);
}

// Returns what is known where NPUs pass messages on, but only over links of some ranks' layers. The lowest
// rank of each part is simulated, because its chunks are recorded. Null: nothing is known.
std::shared_ptr<const KnownTimes> times_on_some_ranks(const RunSpec& spec, const Machine& machine,
                                                      const TrainingSetup& setup, bool fold,
                                                      const Program& program) {
  if (!takes_may_be_known(spec, setup, fold) || !machine.topology.graph || !machine.topology.link_changes ||
      relaying_of(machine.topology) != Relaying::where_cut || machine.system.channels ||
      !machine.network.model->counts_messages || !why_not(Shortcut::times_on_some, machine).empty())
    return nullptr;
  std::vector<RankId> recorded;
  for (const ProgramPart& part : program.parts) recorded.push_back(part.lowest_rank());
  std::vector<bool> ranks = ranks_with_private_layers(setup, machine.topology, recorded);
  if (ranks.empty()) return nullptr;
  ExchangesWithinPasses exchanges(machine, setup);
  if (!exchanges.end_together()) return nullptr;
  return std::make_shared<const KnownTimes>(exchanges.on_some(std::move(ranks)));
}

// Returns whether each operator has to be visible: profilers show kernels, and simulated steps are compared
// with their files.
bool shows_operators(const RunSpec& spec) {
  return spec.every_operator || std::ranges::find(spec.timelines, &kineto_timeline) != spec.timelines.end();
}

// Collectives within a layer are nodes of their own where they are messages that may meet others, where ranks
// that compute at different speeds wait for one another in them, and where somebody wants to see them.
PassDetail pass_detail_of(const RunSpec& spec, const TrainingSetup& setup, bool takes_known,
                          Warnings& warnings) {
  if (shows_operators(spec)) {
    constexpr double max_operators = 4e6;  // which take a gigabyte, and seconds
    const double operators = operations_of_step(setup, PassDetail::operators);
    if (operators <= max_operators) return PassDetail::operators;
    warnings.add(spec.where, fmt::format("its step has some {:.0f} million operators, too many to show each "
                                         "by itself",
                                         operators / 1e6));
  }
  if (spec.every_collective || !spec.compute_slowdown.empty()) return PassDetail::blocks;
  const bool by_library = !spec.has_network() || !!spec.system->library;
  return by_library || takes_known ? PassDetail::one_node : PassDetail::blocks;
}

}  // namespace

TrainingSetup training_on_machine(TrainingSetup setup, const RunSpec& spec) {
  if (!spec.dialect.contends_at_endpoints) setup.contended.reset();
  if (!spec.has_network()) return setup;
  setup.passes_begin_together = true;
  setup.library.reset();
  if (spec.system->library) setup.library = library_on(*spec.topology, *spec.system->library);
  if (spec.dialect.contends_at_endpoints)
    setup.contended = contended_device(setup.device.facts, setup.stack, received_per_second(*spec.topology));
  return setup;
}

RunKind TransformerWorkload::kind(const RunSpec& spec) const {
  return spec.has_network() ? RunKind::platform_network : RunKind::platform;
}

std::string TransformerWorkload::work() const {
  const TransformerPlan& plan = setup_.plan;
  if (plan.decodes())
    return fmt::format("{}, decoding a token of each of {} sequences of {}", setup_.model.name,
                       plan.global_batch, plan.seen);
  if (plan.forward_only)
    return fmt::format("{}, inference of {} sequences of {} tokens", setup_.model.name, plan.global_batch,
                       setup_.model.sequence);
  return fmt::format("{}, {} sequences of {} tokens", setup_.model.name, setup_.plan.global_batch,
                     setup_.model.sequence);
}

// Without a network, the platform's library carries out collectives and says what sends take.
void TransformerWorkload::complete(Machine& machine) const {
  if (!machine.topology.dimensions.empty()) return;
  Dimension gpus;
  gpus.name = "GPUs";
  gpus.block = Block::switched;
  gpus.size = static_cast<int>(setup_.gpus());
  gpus.links = 1;
  machine.topology.dimensions = {gpus};
  machine.library = std::make_shared<const CollectiveLibrary>(*setup_.library);
  machine.network.model = &library_model;
  machine.network.sends = std::make_shared<const LibrarySends>(machine.library);
}

void TransformerWorkload::prepare(const RunSpec& spec, RunResult& result, Warnings& warnings) const {
  require_training_memory(setup_, spec.allow_out_of_memory, warnings);
  result.machine = machine_of(spec, warnings);
  std::optional<ExchangesWithinPasses> within_passes;
  if (takes_are_known(spec, result.machine, setup_, result.fold))
    within_passes.emplace(result.machine, setup_);
  const bool takes_known = within_passes && within_passes->end_together();
  const PassDetail pass_detail = pass_detail_of(spec, setup_, takes_known, warnings);
  require_training_program_fits(setup_, pass_detail);
  TrainingSetup setup = training_on_machine(setup_, spec);
  if (takes_known) setup.exchange_time = within_passes->time();
  const auto detail = std::make_shared<TrainingDetail>(std::move(setup), pass_detail);
  if (takes_known) detail->within_passes = std::move(within_passes);
  result.program = training_program(detail->setup, detail->costs, pass_detail,
                                    spec.every_class || takes_known ? &detail->notes : nullptr);
  if (spec.has_network()) {
    result.program.communicators =
        on_network(std::move(result.program.communicators), *spec.topology, setup_.where);
    if (pass_detail == PassDetail::blocks && !spec.every_class)
      result.program.known_times =
          times_on_some_ranks(spec, result.machine, setup_, result.fold, result.program);
  }
  result.detail = detail;
}

const TrainingResult& training_result_of(const RunResult& result) {
  return detail_of(result).result;
}

void TransformerWorkload::conclude(const RunSpec& /*spec*/, RunResult& result) const {
  auto& detail = static_cast<TrainingDetail&>(*result.detail);
  if (detail.within_passes)
    detail.within_passes->count_in(detail.setup, result.program, detail.notes, result.recording);
  detail.result = training_result(detail.setup, detail.costs, result.program, result.breakdown);
}

Summary TransformerWorkload::summary(const RunSpec& spec, const RunResult& result) const {
  const TrainingDetail& detail = detail_of(result);
  if (!spec.has_network()) {
    Summary summary = summarize(spec.name, detail.setup, detail.result, spec.interval);
    summary.work = work();
    return summary;
  }
  Summary summary = Workload::summary(spec, result);
  add_training(summary, detail.setup, detail.result, spec.interval);
  return summary;
}

NamedRows TransformerWorkload::parts_table(const RunResult& result, const Summary& /*summary*/) const {
  return {result_file("stages.csv").name, stages_rows(detail_of(result).result)};
}

std::unique_ptr<ComputedWork> TransformerWorkload::computed_work(const RunSpec& /*spec*/,
                                                                 const RunResult& result) const {
  const TrainingDetail& detail = detail_of(result);
  return std::make_unique<TransformerWork>(detail.setup, detail.costs, result.program, detail.notes);
}

std::vector<PartMemory> TransformerWorkload::memory_history(const RunResult& result) const {
  return memory_of_stages(detail_of(result).result, result.program, result.recording);
}

std::string TransformerWorkload::explanation(const RunSpec& spec, const RunResult& result) const {
  std::string text;
  // No closed form tells what messages take.
  const TrainingDetail& detail = detail_of(result);
  if (result.machine.library) text = training_explanation(spec.name, detail.setup);
  if (!spec.has_network()) return text;
  text += Workload::explanation(spec, result);
  if (detail.within_passes && detail.pass_detail == PassDetail::one_node)
    text += wrapped(
        "  each pass of a micro-batch is one node: the collectives within layers have links for themselves, "
        "so they take what they take alone, and their messages are counted without being simulated\n",
        4);
  if (const auto& known = result.program.known_times)
    text += wrapped(
        fmt::format(
            "  on {} ranks collectives within layers take what they take alone, and their messages are "
            "counted without being simulated: no message is passed on over their links\n",
            std::ranges::count(known->ranks, true)),
        4);
  return text;
}

const TrainingSetup* training_of(const RunSpec& spec) {
  const auto* transformer = dynamic_cast<const TransformerWorkload*>(spec.workload.get());
  return transformer ? &transformer->setup() : nullptr;
}

}  // namespace orrery::core
