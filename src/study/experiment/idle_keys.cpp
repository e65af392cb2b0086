#include "study/experiment/idle_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/diagnostics/words.hpp"
#include "base/input/map_entries.hpp"
#include "workload/pipeline/pipeline_schedule.hpp"
#include "workload/training/step/training_times.hpp"

namespace orrery::core {

namespace {

std::uint64_t gpus_per_node(const TrainingSetup& setup) {
  return static_cast<std::uint64_t>(setup.gpus_per_node());
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
  return !setup.plan.has_replicas();
}
// The efficiency of collectives within layers is also that of exchanges of gradients, unless these have one
// of their own.
bool exchanges_nothing(const TrainingSetup& setup) {
  return has_whole_layers(setup) &&
         (has_no_replicas(setup) || setup.stack.sharding_efficiency != setup.stack.exchange_efficiency);
}
// With ZeRO 2 and 3 each layer's gradients are reduced by themselves, while the backward pass goes on.
bool reduces_by_layer(const TrainingSetup& setup) {
  return setup.plan.zero >= 2;
}
bool repeats_no_scores(const TrainingSetup& setup) {
  return setup.plan.recompute != Recompute::none && !setup.plan.repeats_operations();
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
                           whole_layers = "its layers need no collectives",
                           by_layer =
                               "with ZeRO 2 and 3 the gradients of each layer are reduced as they come",
                           no_time = "no time of this training depends on it";

constexpr IdleCondition idle_conditions[] = {
    {"workload.parallelism.context-exchange", [](auto& setup) { return setup.plan.context == 1; },
     "one rank has all of a sequence"},
    {"workload.parallelism.schedule", is_one_stage, one_stage, false,
     [](auto& setup) { return keeps_all_micro_batches(setup.schedule) && setup.plan.micro_batches() > 1; }},
    {"workload.parallelism.layers-per-stage",
     [](auto& setup) { return setup.plan.pipeline * setup.plan.chunks == 1; }, one_stage},
    {"workload.parallelism.expert-tensor", [](auto& setup) { return setup.plan.tensor == 1; },
     "it has no tensor parallelism"},
    {"workload.parallelism.zero", has_no_replicas, no_replicas},
    {"workload.parallelism.order", is_one_axis, "its ranks lie along one axis only"},
    {"workload.recompute", repeats_no_scores, "flash attention keeps no scores that could be computed again"},
    {"workload.overlap.gradients", has_no_replicas, no_replicas},
    {"workload.overlap.gradients", reduces_by_layer, by_layer},
    {"workload.overlap.parameters",
     [](auto& setup) { return setup.plan.zero == 0 || setup.plan.zero == 3 || has_no_replicas(setup); },
     "no weights are gathered after its update"},
    {"workload.overlap.messages", is_one_stage, one_stage},
    {"platform.gpus-per-node", [](auto& setup) { return setup.gpus() < gpus_per_node(setup); },
     "one node has more GPUs than it uses", true},
    {"platform.nics-per-node", is_one_node, "all its GPUs are in one node", true},
    {"platform.between", is_one_node, "all its GPUs are in one node", true},
    {"platform.inside.launch", [](auto& setup) { return setup.gpus() == 1; }, "it has but one GPU", true},
    {"platform.inside", [](auto& setup) { return setup.gpus() == 1 || setup.gpus_per_node() == 1; },
     "no two of its GPUs are in one node", true},
    {"platform.library", [](auto& setup) { return setup.gpus() == 1; }, "it has but one GPU", true},
    {"platform.buffers", [](auto& setup) { return setup.gpus() == 1; }, "it has but one GPU", true},
    {"platform.stack.exchange-efficiency", exchanges_nothing, whole_layers},
    {"platform.stack.host-time-per-exchange", has_whole_layers, whole_layers},
    {"platform.stack.sharding-efficiency", has_no_replicas, no_replicas},
    {"platform.stack.bucket", has_no_replicas, no_replicas},
    {"platform.stack.bucket", reduces_by_layer, by_layer},
    {"platform.stack.bucket", [](auto& setup) { return !setup.overlap_gradients; },
     "all gradients are reduced in one go, after the backward pass"},
};

// The first condition on a key that holds, or else the last one on it. Null where there is none. Conditions
// on a key count before those on a map in which it is.
const IdleCondition* idle_condition_of(std::string_view path, const TrainingSetup& setup) {
  const IdleCondition* found = nullptr;
  for (const IdleCondition& condition : idle_conditions) {
    if (!path.starts_with(condition.path) ||
        (path.size() != condition.path.size() && path[condition.path.size()] != '.'))
      continue;
    if (found && condition.path.size() < found->path.size()) break;
    found = &condition;
    if (condition.is_idle(setup)) break;
  }
  return found;
}

// The maps of a platform whose numbers may have no part in any time of a training.
constexpr std::string_view maps_of_numbers[] = {"platform.inside.", "platform.between.", "platform.stack."};
// Keys in them that are no such numbers.
constexpr std::string_view no_numbers[] = {"base", "name", "source"};

// Returns the numbers of the links. Links with keys of their own are named by these.
GroupLinks unnamed_links(const TrainingSetup& setup) {
  GroupLinks links = setup.library->numbers_of_links();
  links.inside.name.clear();
  links.between.name.clear();
  return links;
}

// Values that ask for nothing, so that nobody misses anything.
bool asks_for_nothing(const InputNode& value) {
  return value.kind == InputNode::Kind::scalar && (value.text == "0" || value.text == "false");
}

}  // namespace

std::string_view why_idle(std::string_view path, const TrainingSetup& setup) {
  const IdleCondition* const condition = idle_condition_of(path, setup);
  return condition && condition->is_idle(setup) ? condition->why : std::string_view();
}

// Looks at the keys of one training.
class IdleKeys::Look {
 public:
  Look(IdleKeys& keys, const TrainingSetup& setup, const InputNode& platform, bool has_network,
       const ReadOther& read_other)
      : keys_(keys), setup_(setup), platform_(platform), has_network_(has_network), read_other_(read_other) {}

  void look_at(const std::string& path, const InputNode& map) {
    if (map.kind != InputNode::Kind::map) return;
    for (std::size_t i = 0; i < map.items.size(); ++i)
      look_at(path + map.names[i].text, map.names[i], map.items[i]);
  }

 private:
  void look_at(const std::string& path, const InputName& key, const InputNode& value) {
    const IdleCondition* const condition = idle_condition_of(path, setup_);
    const bool is_idle = condition && !(condition->about_links && has_network_) &&
                         condition->is_idle(setup_) && !asks_for_nothing(value);
    const bool has_numbers = std::ranges::find(maps_of_numbers, path + '.') != std::end(maps_of_numbers);
    if (!is_idle && has_numbers) {
      if (condition) keys_.note(key, false, nothing, condition->why);
      look_at_numbers(path + '.', value);
    } else if (is_idle && value.find("launch")) {
      look_at(path + '.', value);  // of which this one may count nevertheless
    } else if (condition) {
      const bool changes_memory = condition->changes_memory && condition->changes_memory(setup_);
      keys_.note(key, is_idle, changes_memory ? only_memory : nothing, condition->why);
    } else {
      look_at(path + '.', value);
    }
  }

  void look_at_numbers(const std::string& path, const InputNode& map) {
    if (map.kind != InputNode::Kind::map) return;
    for (std::size_t i = 0; i < map.items.size(); ++i) {
      const InputName& key = map.names[i];
      if (std::ranges::find(no_numbers, key.text) != std::end(no_numbers)) continue;
      const std::string_view why = why_idle(path + key.text, setup_);
      const bool has_no_part = why.empty() && has_no_part_in_times(path, key.text);
      keys_.note(key, !why.empty() || has_no_part, nothing, has_no_part ? no_time : why);
    }
  }

  // Returns whether the training takes the same times without a key of a map of the platform, which then has
  // the value of a base or its usual one.
  bool has_no_part_in_times(const std::string& path, std::string_view key) {
    if (has_network_) return false;  // whose messages take the time that its simulation shows
    InputNode platform = platform_;
    constexpr std::string_view front = "platform.";
    InputNode* const map = platform.find(path.substr(front.size(), path.size() - front.size() - 1));
    erase_entry(*map, key);
    try {
      const TrainingSetup other = read_other_(platform);
      if (other.stack == setup_.stack && unnamed_links(other) == unnamed_links(setup_))
        return false;  // it says what would be anyway
      if (!times_) times_ = times_of_training(setup_);
      return times_of_training(other) == *times_;
    } catch (const InputError&) {
      return false;  // without it there is no training
    }
  }

  IdleKeys& keys_;
  const TrainingSetup& setup_;
  const InputNode& platform_;
  const bool has_network_;
  const ReadOther& read_other_;
  std::optional<std::vector<Seconds>> times_;  // of the training, once they have been asked for
};

void IdleKeys::look_at(const TrainingSetup& setup, const InputNode& platform, const InputNode& workload,
                       bool has_network, const ReadOther& read_other) {
  Look look(*this, setup, platform, has_network, read_other);
  look.look_at("platform.", platform);
  look.look_at("workload.", workload);
}

void IdleKeys::look_at_pipeline(const InputNode& workload, const Topology& topology) {
  const InputNode* const pipeline = workload.find("pipeline");
  if (!pipeline || pipeline->kind != InputNode::Kind::map || topology.dimensions.empty()) return;
  const InputNode* const named = pipeline->find("dimension");
  const auto stages = named ? std::ranges::find(topology.dimensions, named->text, &Dimension::name)
                            : std::prev(topology.dimensions.end());
  const bool is_alone = stages != topology.dimensions.end() && stages->size == 1;
  for (std::size_t i = 0; i < pipeline->items.size(); ++i) {
    if (pipeline->names[i].text != "schedule") continue;
    const auto schedule = value_of(pipeline_schedule_words, pipeline->items[i].text);
    note(pipeline->names[i], is_alone, schedule && keeps_all_micro_batches(*schedule) ? only_memory : nothing,
         one_stage);
  }
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

}  // namespace orrery::core
