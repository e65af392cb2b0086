#include "topology/graph/measures/link_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/diagnostics/words.hpp"
#include "topology/graph/measures/graph_levels.hpp"
#include "topology/graph/node_kinds.hpp"
#include "topology/graph/node_names.hpp"

namespace orrery::core {

LinkLevels::LinkLevels(const Topology& topology)
    : topology_(topology), graph_(*topology.graph), levels_(levels_of_nodes(graph_)) {
  name_kinds();
  for (const LinkId id : graph_.all_links())
    grid_dimensions_ = std::max<std::size_t>(grid_dimensions_, graph_.link(id).dimension);
}

// Nodes of a kind have the name that all of them share but for a number, such as "leaf". Where they share
// none, or another kind shares it, they are called after what they are and how far they are from NPUs.
void LinkLevels::name_kinds() {
  std::map<Kind, std::optional<std::string>> shared;
  for (const NodeId node : graph_.all_nodes()) {
    const std::string name = name_without_number(graph_.node(node).name);
    std::optional<std::string>& known = shared.try_emplace(kind_of(node), name).first->second;
    if (known != name) known.reset();
  }
  std::map<std::string, int> kinds_of_name;
  for (const auto& [kind, name] : shared)
    if (name) ++kinds_of_name[*name];
  for (const auto& [kind, name] : shared) {
    if (name && !name->empty() && kinds_of_name[*name] == 1)
      names_[kind] = *name;
    else if (kind.first <= 0)
      names_[kind] = word_of(node_kind_words, kind.second);
    else
      names_[kind] = fmt::format("{} {}", word_of(node_kind_words, kind.second), kind.first);
  }
}

// Dimensions of a grid are those of the network, unless there are boxes in it or something around it.
std::string LinkLevels::name_in_grid(int dimension) const {
  if (topology_.dimensions.size() == grid_dimensions_)
    return topology_.dimensions[static_cast<std::size_t>(dimension) - 1].name;
  return fmt::format("grid {}", dimension);
}

std::string LinkLevels::name_of(LinkId id) const {
  const NetworkLink& link = graph_.link(id);
  if (link.dimension > 0) return name_in_grid(link.dimension);
  const Kind from = kind_of(link.from), to = kind_of(link.to);
  return fmt::format("{}-{}", names_.at(std::min(from, to)), names_.at(std::max(from, to)));
}

}  // namespace orrery::core
