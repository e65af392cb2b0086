#include "study/search/layout_values.hpp"

#include <string>
#include <utility>

#include "base/input/map_entries.hpp"
#include "study/search/layout_table.hpp"

namespace orrery::core {

namespace {

const InputNode* value_at(const InputNode& node, std::string_view path) {
  const std::size_t dot = path.find('.');
  const InputNode* const below = node.find(path.substr(0, dot));
  if (!below || dot == std::string_view::npos) return below;
  return value_at(*below, path.substr(dot + 1));
}

// A table shows these, also where they have their usual values.
InputNode usual_value(std::string_view path) {
  InputNode node;
  if (path != "parallelism.tensor" && path != "parallelism.pipeline" && path != "parallelism.zero")
    return node;
  node.kind = InputNode::Kind::scalar;
  node.text = path == "parallelism.zero" ? "0" : "1";
  return node;
}

}  // namespace

const std::vector<std::string_view>& layout_key_paths() {
  static const std::vector<std::string_view> paths{"parallelism.tensor",
                                                   "parallelism.sequence",
                                                   "parallelism.context",
                                                   "parallelism.context-exchange",
                                                   "parallelism.expert",
                                                   "parallelism.expert-tensor",
                                                   "parallelism.pipeline",
                                                   "parallelism.schedule",
                                                   "parallelism.virtual-stages",
                                                   "parallelism.layers-per-stage",
                                                   "parallelism.data",
                                                   "parallelism.zero",
                                                   "parallelism.shard",
                                                   "parallelism.order",
                                                   "batch.micro",
                                                   "recompute"};
  return paths;
}

std::vector<InputNode> layout_values(const TrainingSetup& base, const TrainingLayout& layout) {
  const InputNode keys = parse_yaml(layout_keys(base, layout), "layout");
  std::vector<InputNode> values;
  for (const std::string_view path : layout_key_paths()) {
    const InputNode* const value = value_at(keys, path);
    values.push_back(value ? *value : usual_value(path));
  }
  return values;
}

void leave_layout_out(InputNode& workload) {
  erase_entry(workload, "parallelism");
  erase_entry(workload, "recompute");
  if (InputNode* const batch = workload.find("batch")) erase_entry(*batch, "micro");
}

}  // namespace orrery::core
