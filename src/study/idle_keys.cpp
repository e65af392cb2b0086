#include "study/idle_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"

namespace orrery {

namespace {

std::uint64_t gpus_per_node(const TrainingSetup& setup) {
  return static_cast<std::uint64_t>(setup.library.links().gpus_per_node);
}
bool is_one_node(const TrainingSetup& setup) {
  return setup.gpus() <= gpus_per_node(setup);
}
bool is_one_stage(const TrainingSetup& setup) {
  return setup.plan.pipeline == 1;
}
// Returns whether no collective is needed within layers.
bool has_whole_layers(const TrainingSetup& setup) {
  return setup.plan.tensor == 1 && setup.plan.context == 1 && setup.plan.expert == 1;
}
// Returns whether no other rank has the same parameters.
bool has_no_replicas(const TrainingSetup& setup) {
  return setup.plan.data == 1 && setup.plan.context == 1;
}
// The efficiency of collectives within layers is also that of exchanges of gradients, unless these have one
// of their own.
bool exchanges_nothing(const TrainingSetup& setup) {
  return has_whole_layers(setup) &&
         (has_no_replicas(setup) || setup.stack.sharding_efficiency != setup.stack.exchange_efficiency);
}
bool is_one_axis(const TrainingSetup& setup) {
  const TransformerPlan& plan = setup.plan;
  const std::uint64_t axes[] = {plan.tensor, plan.context, plan.expert, plan.data / plan.expert,
                                plan.pipeline};
  return std::ranges::count_if(axes, [](std::uint64_t ranks) { return ranks > 1; }) < 2;
}

struct IdleCondition {
  std::string_view path;  // of the key, or of a map in which it is
  bool (*is_idle)(const TrainingSetup& setup);
  std::string_view why;
  bool about_links = false;  // which a network replaces
  // Whether it nevertheless decides how much memory is in use.
  bool (*changes_memory)(const TrainingSetup& setup) = nullptr;
};

// What such a key changes.
constexpr std::string_view nothing = "nothing", only_memory = "memory, but no time";

constexpr std::string_view one_stage = "its pipeline has but one stage",
                           no_replicas = "no two of its ranks have the same parameters",
                           whole_layers = "its layers need no collectives";

constexpr IdleCondition idle_conditions[] = {
    {"workload.parallelism.context-exchange", [](auto& setup) { return setup.plan.context == 1; },
     "one rank has all of a sequence"},
    {"workload.parallelism.schedule", is_one_stage, one_stage, false,
     [](auto& setup) { return setup.schedule == PipelineSchedule::gpipe && setup.plan.micro_batches() > 1; }},
    {"workload.parallelism.layers-per-stage",
     [](auto& setup) { return setup.plan.pipeline * setup.plan.chunks == 1; }, one_stage},
    {"workload.parallelism.expert-tensor", [](auto& setup) { return setup.plan.tensor == 1; },
     "it has no tensor parallelism"},
    {"workload.parallelism.zero", [](auto& setup) { return setup.plan.zero < 2 && has_no_replicas(setup); },
     no_replicas},
    {"workload.parallelism.order", is_one_axis, "its ranks lie along one axis only"},
    {"workload.overlap.gradients", has_no_replicas, no_replicas},
    {"workload.overlap.parameters",
     [](auto& setup) { return setup.plan.zero == 0 || has_no_replicas(setup); },
     "no weights are gathered after its update"},
    {"workload.overlap.messages", is_one_stage, one_stage},
    {"platform.gpus-per-node", [](auto& setup) { return setup.gpus() < gpus_per_node(setup); },
     "one node has more GPUs than it uses", true},
    {"platform.nics-per-node", is_one_node, "all its GPUs are in one node", true},
    {"platform.between", is_one_node, "all its GPUs are in one node", true},
    {"platform.inside",
     [](auto& setup) { return setup.gpus() == 1 || setup.library.links().gpus_per_node == 1; },
     "no two of its GPUs are in one node", true},
    {"platform.library", [](auto& setup) { return setup.gpus() == 1; }, "it has but one GPU", true},
    {"platform.stack.exchange-efficiency", exchanges_nothing, whole_layers},
    {"platform.stack.host-time-per-exchange", has_whole_layers, whole_layers},
    {"platform.stack.sharding-efficiency", has_no_replicas, no_replicas},
};

const IdleCondition* idle_condition_of(std::string_view path) {
  const auto* const found = std::ranges::find_if(idle_conditions, [&](const IdleCondition& condition) {
    return path.starts_with(condition.path) &&
           (path.size() == condition.path.size() || path[condition.path.size()] == '.');
  });
  return found == std::end(idle_conditions) ? nullptr : found;
}

// Values that ask for nothing, so that nobody misses anything.
bool asks_for_nothing(const InputNode& value) {
  return value.kind == InputNode::Kind::scalar && (value.text == "0" || value.text == "false");
}

}  // namespace

std::string_view why_idle(std::string_view path, const TrainingSetup& setup) {
  const IdleCondition* const condition = idle_condition_of(path);
  return condition && condition->is_idle(setup) ? condition->why : std::string_view();
}

void IdleKeys::look_at(const TrainingSetup& setup, const InputNode& platform, const InputNode& workload,
                       bool has_network) {
  look_at("platform.", platform, setup, has_network);
  look_at("workload.", workload, setup, has_network);
}

void IdleKeys::look_at(const std::string& path, const InputNode& map, const TrainingSetup& setup,
                       bool has_network) {
  if (map.kind != InputNode::Kind::map) return;
  for (std::size_t i = 0; i < map.items.size(); ++i) {
    const std::string key = path + map.names[i].text;
    const IdleCondition* const condition = idle_condition_of(key);
    if (!condition) {
      look_at(key + ".", map.items[i], setup, has_network);
      continue;
    }
    const bool means_nothing = !(condition->about_links && has_network) && condition->is_idle(setup) &&
                               !asks_for_nothing(map.items[i]);
    const bool changes_memory = condition->changes_memory && condition->changes_memory(setup);
    note(map.names[i], means_nothing, changes_memory ? only_memory : nothing, condition->why);
  }
}

void IdleKeys::look_at_pipeline(const InputNode& workload, const Topology& topology) {
  const InputNode* const pipeline = workload.find("pipeline");
  if (!pipeline || pipeline->kind != InputNode::Kind::map || topology.dimensions.empty()) return;
  const InputNode* const named = pipeline->find("dimension");
  const auto stages = named ? std::ranges::find(topology.dimensions, named->text, &Dimension::name)
                            : std::prev(topology.dimensions.end());
  const bool is_alone = stages != topology.dimensions.end() && stages->size == 1;
  for (std::size_t i = 0; i < pipeline->items.size(); ++i)
    if (pipeline->names[i].text == "schedule")
      note(pipeline->names[i], is_alone, pipeline->items[i].text == "gpipe" ? only_memory : nothing,
           one_stage);
}

void IdleKeys::look_at_system(const InputNode& system, const Topology& topology) {
  if (system.kind != InputNode::Kind::map) return;
  for (const InputName& key : system.names)
    if (key.text == "all-reduce-shape")
      note(key, topology.dimensions.size() == 1, nothing, "the network has but one dimension");
}

void IdleKeys::note(const InputName& key, bool is_idle, std::string_view changes, std::string_view why) {
  const std::string place = key.where.text() + ' ' + key.text;
  if (!is_idle)
    used_.insert(place);
  else if (listed_.insert(place).second)
    idle_.push_back({place, key.where, fmt::format("`{}` changes {}: {}", key.text, changes, why)});
}

void IdleKeys::warn(Warnings& warnings) const {
  for (const Idle& idle : idle_)
    if (!used_.contains(idle.place)) warnings.add(idle.where, idle.text);
}

}  // namespace orrery
