#include "workload/astra1/unused_collectives.hpp"

#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace orrery::core {

void warn_of_unused_collectives(const LayerTable& table, const ExecutionGraph& graph, Warnings& warnings) {
  constexpr std::array<std::string_view, passes_of_a_layer> words{"forward", "input-gradient",
                                                                  "weight-gradient"};
  std::vector<std::array<bool, passes_of_a_layer>> runs(table.layers.size());
  for (ExecutionGraph::Id id = 0; id < graph.size(); ++id)
    if (const Operation& operation = graph[id]; operation.kind == OperationKind::collective)
      runs[static_cast<std::size_t>(operation.layer)][static_cast<std::size_t>(operation.pass)] = true;
  const Layer* first = nullptr;
  std::string_view word;
  std::size_t unused = 0;
  for (std::size_t i = 0; i < table.layers.size(); ++i) {
    const Layer& layer = table.layers[i];
    for (const Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient}) {
      const LayerStep& step = layer.step(pass);
      const auto index = static_cast<std::size_t>(pass);
      const bool of_input = i == 0 && pass == Pass::input_gradient;
      if (!step.collective || step.size == Bytes() || runs[i][index] || of_input) continue;
      if (unused++ > 0) continue;
      first = &layer;
      word = words[index];
    }
  }
  if (unused == 0) return;
  warnings.add(first->where,
               fmt::format("this training policy never runs the {} collective of layer `{}`{}; remove what "
                           "changes nothing, or choose another policy",
                           word, first->name, unused == 1 ? "" : fmt::format(" (and {} more)", unused - 1)));
}

}  // namespace orrery::core
