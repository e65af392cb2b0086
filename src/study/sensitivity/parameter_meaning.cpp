#include "study/sensitivity/parameter_meaning.hpp"

#include <algorithm>

#include "network/network_options.hpp"
#include "study/experiment/idle_keys.hpp"
#include "study/run/network_faults.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"

namespace orrery::core {

namespace {

struct ExaminedRun {
  const RunSpec& spec;
  const UsedCollectives& used;
};

bool has_several_dimensions(const ExaminedRun& run) {
  return run.spec.topology->dimensions.size() > 1;
}
bool reduces_over_dimensions(const ExaminedRun& run) {
  return has_several_dimensions(run) && run.used.contains(CollectiveKind::all_reduce);
}
// Returns whether the run has links of its own. A platform on a network has none, because the network says
// what links there are.
bool has_own_links(const ExaminedRun& run) {
  return !run.spec.has_network();
}
bool has_library(const ExaminedRun& run) {
  return !run.spec.has_network() || run.spec.system->library;
}
bool has_channels(const ExaminedRun& run) {
  return run.spec.system->channels;
}
// Returns whether the run trains a transformer whose ranks a plan shares.
bool has_plan(const ExaminedRun& run) {
  return training_of(run.spec) != nullptr;
}
bool has_packets(const ExaminedRun& run) {
  return network_knows("packets", run.spec);
}

struct Condition {
  std::string_view schema;  // what begins with it
  bool (*holds)(const ExaminedRun& run);
};
constexpr Condition conditions[] = {
    {"routing", [](const ExaminedRun& run) { return network_knows("routing", run.spec); }},
    {"packets", has_packets},
    {"system.all-reduce-shape", reduces_over_dimensions},
    {"system.dimension-order", has_several_dimensions},
    {"platform.inside", has_own_links},
    {"platform.between", has_own_links},
    {"platform.nics-per-node", has_own_links},
    {"platform.library", has_own_links},
    {"platform.stack.exchange-efficiency", has_library},
    {"platform.stack.sharding-efficiency", has_library},
    {"workload.parallelism", has_plan},
    {"workload.overlap", has_plan},
    {"workload.batch.micro", has_plan},
    {"workload.recompute", has_plan},
};
// Conditions on keys of networks that are graphs, wherever in them the keys stand.
constexpr Condition graph_conditions[] = {
    {"loss", has_packets},
    {"reduction", has_channels},
    {"reduces", has_channels},
};

constexpr std::string_view collectives_prefix = "system.collectives.";

bool begins_with(std::string_view schema, std::string_view front) {
  return schema.starts_with(front) &&
         (schema.size() == front.size() || schema[front.size()] == '.' || schema[front.size()] == '[');
}

}  // namespace

bool means_something(std::string_view schema, const KeyFacts& key, const RunSpec& spec,
                     const UsedCollectives& used) {
  const int kind = static_cast<int>(spec.workload->kind(spec));
  if (std::ranges::find(key.useless, kind, &NotApplicable::kind) != key.useless.end()) return false;
  const TrainingSetup* const training = training_of(spec);
  if (training && !why_idle(schema, *training).empty()) return false;
  const ExaminedRun run{spec, used};
  for (const Condition& condition : conditions)
    if (begins_with(schema, condition.schema) && !condition.holds(run)) return false;
  for (const NetworkOptionKind* option : network_option_kinds)
    if (begins_with(schema, option->key.name) && !network_knows(option->key.name, spec)) return false;
  if (begins_with(schema, "network") && spec.topology->graph)
    for (const Condition& condition : graph_conditions)
      if (key.name == condition.schema && !condition.holds(run)) return false;
  if (!schema.starts_with(collectives_prefix)) return true;
  return std::ranges::any_of(used, [&](CollectiveKind one) {
    return begins_with(schema.substr(collectives_prefix.size()), name_of(one));
  });
}

}  // namespace orrery::core
