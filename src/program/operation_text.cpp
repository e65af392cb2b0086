#include "program/operation_text.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/diagnostics/words.hpp"
#include "program/members.hpp"

namespace orrery::core {

namespace {

std::string what(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::collective:
      return fmt::format("{} of {} bytes", name_of(operation.collective.kind),
                         operation.collective.size.count());
    case OperationKind::send:
      return fmt::format("message of {} bytes to part {}", operation.message.size.count(),
                         operation.message.peer);
    case OperationKind::receive:
      return fmt::format("message from part {}", operation.message.peer);
    default:
      return "compute";
  }
}

}  // namespace

std::string described(const ExecutionGraph& graph, ExecutionGraph::Id id) {
  constexpr std::array<std::string_view, 3> passes{"forward pass", "input gradient", "weight gradient"};
  if (graph.is_named()) {
    const std::string_view name = graph.name(id);
    return fmt::format("node {}{}", graph.number(id), name.empty() ? "" : " (" + backquoted(name) + ")");
  }
  const Operation operation = graph[id];
  if (operation.layer < 0) return fmt::format("operation {}", id);
  std::string text = fmt::format("the {} for the {} of layer '{}' in iteration {}", what(operation),
                                 passes[static_cast<std::size_t>(operation.pass)],
                                 graph.layer_names[operation.layer], operation.iteration);
  if (operation.micro_batch >= 0) text += fmt::format(", micro-batch {}", operation.micro_batch);
  return text;
}

std::string described(const CollectiveRequest& request, RankId rank, const Communicator& communicator) {
  if (request.kind == CollectiveKind::barrier) return "a barrier";
  const std::string_view name = name_of(request.kind);
  const std::string text =
      fmt::format("{} {} of {} bytes", name.starts_with('a') ? "an" : "a", name, request.size.count());
  if (is_symmetric(request.kind)) return text;
  return fmt::format("{} with root {}", text,
                     members_with(rank, request, communicator)[request.root].value());
}

}  // namespace orrery::core
