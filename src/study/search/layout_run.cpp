#include "study/search/layout_run.hpp"

#include <algorithm>

#include "study/experiment/pieces/named_definitions.hpp"
#include "study/run/run.hpp"
#include "study/search/layout_table.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"

namespace orrery::core {

namespace {

// The keys of a workload that layout_keys() writes.
constexpr std::string_view keys_of_layouts[] = {"batch", "parallelism", "recompute"};

// Keys of the layout with their usual values are not written, so its maps replace those of the workload.
InputNode with_layout(const InputNode& workload, const InputNode& layout) {
  InputNode changed;
  changed.kind = InputNode::Kind::map;
  changed.where = workload.where;
  const auto add = [&](const InputNode& map, std::size_t i) {
    changed.names.push_back(map.names[i]);
    changed.items.push_back(map.items[i]);
  };
  for (std::size_t i = 0; i < workload.names.size(); ++i)
    if (std::ranges::find(keys_of_layouts, workload.names[i].text) == std::end(keys_of_layouts))
      add(workload, i);
  for (std::size_t i = 0; i < layout.names.size(); ++i) add(layout, i);
  return changed;
}

InputNode document_with(const InputNode& document, const InputNode& layout) {
  InputNode changed = document;
  InputNode* const runs = changed.find("runs");
  InputNode* const own = runs ? runs->items.front().find("workload") : nullptr;
  InputNode& workload = own ? *own : *changed.find("workload");
  NamedDefinitions workloads("workloads");
  workloads.take(document.find("workloads"));
  workload = with_layout(workloads.resolve(workload), layout);
  return changed;
}

}  // namespace

TrainingResult run_layout(const SearchedExperiment& searched, const TrainingSetup& base,
                          const TrainingLayout& layout, const ProgressListener& progress) {
  const InputNode keys = parse_yaml(layout_keys(base, layout), "layout");
  Warnings known;  // those of the experiment as it is were told
  const RunSpec spec = read_one_run(document_with(searched.document, keys), searched.file,
                                    searched.experiment.runs.front().name, known, searched.load);
  return training_result_of(carry_out(spec, known, true, progress));
}

}  // namespace orrery::core
