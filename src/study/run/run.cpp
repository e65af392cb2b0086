#include "study/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "collective/library/network_library.hpp"
#include "collective/plan/dimensions_left_out.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "study/run/network_faults.hpp"
#include "topology/channels/group_channels.hpp"
#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

namespace {

// A network may be for several runs, of which only some use what its switches add up.
void warn_of_reduction(const RunSpec& spec, Warnings& warnings) {
  const SystemConfig& system = *spec.system;
  if (system.channels || system.adds_up_in_network() || !spec.topology->graph) return;
  if (spec.topology->graph.product()) return;  // in which no switch reduces
  const NetworkGraph& graph = *spec.topology->graph;
  for (const NodeId node : graph.all_nodes())
    if (graph.node(node).reduces)
      return warnings.add(system.where,
                          "the network's switches reduce, but no collective has them do so: write "
                          "`channels: true`, or name `nvls` or `sharp` among the algorithms");
}

// What is wrong with a collective is shown at the system. Where the file has none, its workload asks for it.
void locate_system(RunResult& result) {
  const SourceLocation& asked = result.program.where;
  SourceLocation& system = result.machine.system.where;
  if (system.line == 0 && asked.line > 0 && system.file == asked.file) system = asked;
}

// Throws InputError where switches cannot do what an algorithm asks of them.
void check_reduction(const RunSpec& spec) {
  const SystemConfig& system = *spec.system;
  const auto kind = system.first_in_network();
  if (!kind || spec.network.model->reaches_switches) return;
  throw InputError(
      system.where_of(*kind),
      fmt::format("with the network model `{}` messages begin and end at NPUs only, so that no switch "
                  "adds up; use `fluid`, or another algorithm than sharp and nvls",
                  spec.network.model->name));
}

// Throws InputError where the network cannot do what the run asks of it.
void check_network(const RunSpec& spec, Warnings& warnings) {
  with_place(spec.network_model_where, [&] {
    if (!spec.system->library) require_model_of(*spec.topology, spec.network.model);
    if (spec.network.model->check) spec.network.model->check(*spec.topology, spec.dialect);
  });
  if (spec.network.model == &packet_model && spec.topology->graph) {
    const PacketSettings packets = spec.network.packets ? *spec.network.packets : PacketSettings();
    check_packet_keys(*spec.topology, packets, warnings);
    check_what_is_kept(packets, spec.network.message_times, spec.network.link_history);
  }
  require_all_heeded(spec);
  const SystemConfig& system = *spec.system;
  if (system.channels && !spec.topology->graph)
    throw InputError(system.channels_where,
                     "channels are found in a network that is a graph, and this one is dimensions; give it "
                     "`build` or `nodes`, or leave `channels` out");
  check_reduction(spec);
  warn_of_reduction(spec, warnings);
  if (system.channels) warn_of_missing_rings(*spec.topology->graph, system.channels_where, warnings);
  if (!system.library) warn_of_dimensions_left_out(system, spec.topology->dimensions.size(), warnings);
}

}  // namespace

Machine machine_of(const RunSpec& spec, Warnings& warnings) {
  if (spec.has_network()) check_network(spec, warnings);
  Machine machine{*spec.topology, *spec.system, spec.dialect, spec.compute_slowdown, spec.network};
  spec.workload->complete(machine);
  machine.every_class = spec.every_class;
  if (spec.has_network() && machine.system.library)
    machine.library =
        std::make_shared<const CollectiveLibrary>(library_on(machine.topology, *machine.system.library));
  return machine;
}

RunResult build_run(const RunSpec& spec, Warnings& warnings, bool fold) {
  RunResult result;
  result.fold = fold;
  spec.workload->prepare(spec, result, warnings);
  locate_system(result);
  return result;
}

RunResult prepare_run(const RunSpec& spec, Warnings& warnings, bool fold) {
  RunResult result = build_run(spec, warnings, fold);
  result.plan = plan_simulation(result.program, result.machine, fold);
  return result;
}

void simulate_run(const RunSpec& spec, RunResult& result, const ProgressListener& progress) {
  if (!result.plan) result.plan = plan_simulation(result.program, result.machine, result.fold);
  result.recording = simulate(result.program, result.machine, result.plan, progress);
  result.breakdown = breakdown_of(result.program, result.recording);
  spec.workload->conclude(spec, result);
}

void warn_of_what_never_happens(const RunSpec& spec, const RunResult& result, Warnings& warnings) {
  if (spec.topology->link_changes)
    warn_of_later(*spec.topology->link_changes, result.recording.end(), warnings);
}

namespace {

// The listener is called between the steps before the simulation, too, as whoever listens may stop the run.
RunResult carry_out_once(const RunSpec& spec, Warnings& warnings, bool fold,
                         const ProgressListener& progress) {
  const auto nothing_simulated = [&] {
    if (progress) progress(0, Time());
  };
  nothing_simulated();
  RunResult result = build_run(spec, warnings, fold);
  nothing_simulated();
  result.plan = plan_simulation(result.program, result.machine, result.fold);
  nothing_simulated();
  simulate_run(spec, result, progress);
  return result;
}

std::size_t nearest_to_mean(const std::vector<Time>& times) {
  double mean = 0;
  for (const Time time : times) mean += time.ns() / static_cast<double>(times.size());
  return static_cast<std::size_t>(
      std::ranges::min_element(times, {}, [&](Time time) { return std::abs(time.ns() - mean); }) -
      times.begin());
}

// Only the totals of the runs are kept, and one result, because results may be large. A total is what the
// run's summary says, which leaves out what the next step of a training hides.
RunResult carry_out_by_seeds(const RunSpec& spec, Warnings& warnings, bool fold,
                             const ProgressListener& progress) {
  const auto with_seed = [&](std::size_t number, Warnings& of_run) {
    RunSpec one = spec;
    one.topology.edit().route_seed += number;
    return carry_out_once(one, of_run, fold, progress);
  };
  RunResult result;
  std::vector<Time> totals;
  const auto seeds = static_cast<std::size_t>(spec.hash_seeds);
  for (std::size_t number = 0; number < seeds; ++number) {
    Warnings of_run;
    result = with_seed(number, of_run);
    warnings.add_all(of_run);
    totals.push_back(spec.workload->summary(spec, result).total);
  }
  Warnings known;
  if (const std::size_t nearest = nearest_to_mean(totals); nearest + 1 < seeds)
    result = with_seed(nearest, known);
  result.totals_by_seed = std::move(totals);
  return result;
}

}  // namespace

RunResult carry_out(const RunSpec& spec, Warnings& warnings, bool fold, const ProgressListener& progress) {
  RunResult result = spec.hash_seeds > 1 ? carry_out_by_seeds(spec, warnings, fold, progress)
                                         : carry_out_once(spec, warnings, fold, progress);
  warn_of_what_never_happens(spec, result, warnings);
  return result;
}

}  // namespace orrery::core
