#include <fmt/format.h>

#include <algorithm>

#include "network/flows/connection_matrix.hpp"
#include "topology/graph/changes/failures.hpp"
#include "topology/graph/measures/graph_levels.hpp"

namespace orrery::core {
namespace {

// Switches by level, in the order of their numbers, and how they are joined.
class LevelSwitches {
 public:
  explicit LevelSwitches(const NetworkGraph& graph) : graph_(graph), levels_(levels_of_nodes(graph)) {}

  LinkId link_of(const MatrixFailure& failure) const {
    const std::vector<NodeId> switches = switches_of(failure.level);
    if (failure.number >= switches.size())
      throw InputError(failure.where,
                       fmt::format("there is no switch {} of this kind: the network has {}, which "
                                   "count from 0",
                                   failure.number, switches.size()));
    const NodeId node = switches[failure.number];
    const std::vector<LinkId> links = links_of(node);
    if (failure.link >= links.size())
      throw InputError(failure.where,
                       fmt::format("{} has no link {} of this kind: it has {}, which count from 0",
                                   graph_.node(node).name, failure.link, links.size()));
    return links[failure.link];
  }

 private:
  std::vector<NodeId> switches_of(int level) const {
    std::vector<NodeId> switches;
    for (const NodeId node : graph_.all_nodes())
      if (levels_[node.index()] == level) switches.push_back(node);
    return switches;
  }
  // Returns the links that lead up from the node. If there are none, returns those that lead down.
  std::vector<LinkId> links_of(NodeId node) const {
    const bool up = leads_up(graph_, levels_, node);
    std::vector<LinkId> links;
    for (const LinkId link : graph_.links_from(node)) {
      const int other = levels_[graph_.link(link).to.index()];
      if (up ? other > levels_[node.index()] : other < levels_[node.index()]) links.push_back(link);
    }
    return links;
  }

  const NetworkGraph& graph_;
  std::vector<int> levels_;
};

}  // namespace

LinkChanges changes_of(const std::vector<MatrixFailure>& failures, const NetworkGraph& graph) {
  const LevelSwitches switches(graph);
  LinkChanges changes;
  for (const MatrixFailure& failure : failures) {
    const LinkId link = switches.link_of(failure);
    for (const LinkId route : {link, graph.reverse(link)})
      if (route != LinkId::none) changes.list.push_back({Time(), route, 0, failure.where});
  }
  std::ranges::stable_sort(changes.list, {}, &LinkChange::link);
  const auto twice = std::ranges::adjacent_find(changes.list, {}, &LinkChange::link);
  if (twice != changes.list.end())
    throw InputError(std::next(twice)->where, "the link is broken already: leave the line out");
  check_whole_at_start(graph, changes);
  return changes;
}

}  // namespace orrery::core
