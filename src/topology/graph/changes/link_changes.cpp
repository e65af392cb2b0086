#include "topology/graph/changes/link_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/text/readable.hpp"
#include "topology/graph/measures/reachability.hpp"
#include "topology/topology.hpp"

namespace orrery::core {
namespace {

std::set<Time> times_of_breaks(const LinkChanges& changes) {
  std::set<Time> times;
  for (const LinkChange& change : changes.list)
    if (change.share == 0) times.insert(change.at);
  return times;
}

NetworkGraph with_forwarding_npus(const NetworkGraph& graph) {
  NetworkGraph forwarding;
  for (const NodeId id : graph.all_nodes()) {
    NetworkNode node = graph.node(id);
    node.forwards = node.forwards || node.kind == NodeKind::npu;
    forwarding.add(std::move(node));
  }
  for (const LinkId id : graph.all_links())
    forwarding.connect(graph.link(id).from, graph.link(id).to, graph.link(id));
  return forwarding;
}

}  // namespace

void add_changes(LinkChanges more, LinkChanges& changes) {
  if (more.relaying) changes.relaying = more.relaying;
  const auto before = static_cast<std::ptrdiff_t>(changes.list.size());
  std::ranges::move(more.list, std::back_inserter(changes.list));
  std::ranges::inplace_merge(changes.list, changes.list.begin() + before, {},
                             [](const LinkChange& change) { return std::pair(change.at, change.link); });
}

NetworkGraph left_at(const NetworkGraph& graph, const LinkChanges& changes, Time time) {
  std::set<LinkId> broken;
  for (const LinkChange& change : changes.list) {
    if (change.at > time) break;
    if (change.share == 0)
      broken.insert(change.link);
    else
      broken.erase(change.link);
  }
  NetworkGraph left;
  for (const NodeId id : graph.all_nodes()) left.add(graph.node(id));
  for (const LinkId id : graph.all_links())
    if (!broken.contains(id)) left.connect(graph.link(id).from, graph.link(id).to, graph.link(id));
  return left;
}

LinkChanges with_relays_where_cut(LinkChanges changes, const Topology& topology) {
  if (changes.list.empty()) return changes;
  const NetworkGraph& graph = *topology.graph;
  const auto is_cut = [](const NetworkGraph& left) { return !find_cuts(left, 1).empty(); };
  const auto is_cut_at = [&](Time time) { return is_cut(left_at(graph, changes, time)); };
  const Relaying by_routing = relaying_of(topology);
  const bool is_whole = !is_cut(graph);
  const Relaying usual = by_routing == Relaying::never && is_whole ? Relaying::where_cut : by_routing;
  Relaying relaying = changes.relaying.value_or(usual);
  if (relaying == Relaying::where_cut && is_whole &&
      std::ranges::none_of(times_of_breaks(changes), is_cut_at))
    relaying = Relaying::never;
  changes.relaying = relaying;
  return changes;
}

void check_whole_at_start(const NetworkGraph& graph, const LinkChanges& changes, bool relays) {
  const auto breaks = [](const LinkChange& change) { return change.share == 0; };
  const auto first = std::ranges::find_if(changes.list, breaks);
  if (first == changes.list.end() || first->at > Time()) return;
  const auto cuts_of = [&](const NetworkGraph& of) {
    return find_cuts(relays ? with_forwarding_npus(of) : of);
  };
  const std::vector<NetworkCut> before = cuts_of(graph), after = cuts_of(left_at(graph, changes, Time()));
  for (const NetworkCut& cut : after) {
    const bool was_there = std::ranges::any_of(
        before, [&](const NetworkCut& old) { return old.from == cut.from && old.to == cut.to; });
    if (was_there) continue;
    const bool relays_help =
        !relays && find_cuts(with_forwarding_npus(left_at(graph, changes, Time())), 1).empty();
    throw InputError(
        first->where,
        fmt::format("with what is broken from the start on, {} cannot reach {}; leave something whole, {}",
                    names_of_nodes(graph, cut.from), names_of_nodes(graph, cut.to),
                    relays_help ? "give it a later `at`, or have NPUs pass messages on (`relay: where-cut`)"
                                : "or give it a later `at`"));
  }
}

void warn_of_later(const LinkChanges& changes, Time end, Warnings& warnings) {
  std::map<std::tuple<std::string, int, int>, const LinkChange*> first_of;  // by the place of the entry
  for (const LinkChange& change : changes.list)
    first_of.try_emplace({change.where.file, change.where.line, change.where.column}, &change);
  for (const auto& [place, change] : first_of)
    if (change->at > end)
      warnings.add(change->where, fmt::format("this never happens: it begins at {}, and the run ends at {}; "
                                              "give it an earlier `at`",
                                              readable(change->at), readable(end)));
}

}  // namespace orrery::core
