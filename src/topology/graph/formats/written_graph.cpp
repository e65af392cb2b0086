#include "topology/graph/formats/written_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "topology/graph/graph_draft.hpp"
#include "topology/graph/node_kinds.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/graph/switch_buffer.hpp"

namespace orrery::core {
namespace {

constexpr int max_of_an_entry = static_cast<int>(max_graph_nodes);

enum class Pattern { each_to_each, one_to_one, blocks, round_robin, ring };
constexpr std::array<EnumName<Pattern>, 5> pattern_words{{
    {"each-to-each", Pattern::each_to_each},
    {"one-to-one", Pattern::one_to_one},
    {"blocks", Pattern::blocks},
    {"round-robin", Pattern::round_robin},
    {"ring", Pattern::ring},
}};

struct NodeEntry {
  std::string name;
  NodeKind kind = NodeKind::npu;
  std::optional<int> count;
  std::optional<bool> forwards;
  bool reduces = false;
  std::uint64_t buffer = 0;
};
constexpr Key<NodeEntry> node_keys[] = {
    key::label<&NodeEntry::name>("name", "required", "name of the node, or of all nodes of a `count`"),
    key::word<node_kind_words, &NodeEntry::kind>("kind", "required", "kind of the node"),
    key::integer<&NodeEntry::count>(
        "count", 1, max_of_an_entry, "one node without a number",
        "number of such nodes; their names are this name and a number, from 0 on"),
    key::boolean<&NodeEntry::forwards>("forwards", "false of an NPU, else true",
                                       "whether it passes on messages that are meant for others"),
    key::boolean<&NodeEntry::reduces>(
        "reduces", "false",
        "whether it is a switch that adds up the data of all-reduces, for the "
        "algorithms [sharp and nvls](models/collectives.md#reduction-in-switches), "
        "and collectives on [channels](models/channels.md#reduction-in-switches)"),
    switch_buffer_key<&NodeEntry::buffer>,
};

struct LinkEntry : Cable {
  const InputNode *from = nullptr, *to = nullptr;
  Pattern pattern = Pattern::each_to_each;
};
constexpr Key<LinkEntry> link_keys[] = {
    key::kept<&LinkEntry::from>("from", "nodes", "required",
                                "an entry of `nodes`, one node such as `gpu3`, some such as `gpu[0-3]`, or a "
                                "list of these"),
    key::kept<&LinkEntry::to>("to", "nodes", "required, but not of a ring",
                              "the nodes at the other end, in the same form as `from`"),
    key::word<pattern_words, &LinkEntry::pattern>("pattern", "each-to-each",
                                                  "who is joined with whom, see [patterns](#patterns)"),
    key::bandwidth<&LinkEntry::bandwidth>("bandwidth", "required", "bandwidth in each direction").hardware(),
    key::time<&LinkEntry::latency>("latency", "required", "latency from one end to the other").hardware(),
    key::real<&LinkEntry::loss>("loss", 0, 1, "0", "probability that a packet is lost")
        .better(Better::less)
        .hardware(),
    key::boolean<&LinkEntry::striped>("striped", "false",
                                      "whether messages are divided evenly among the striped links that lead "
                                      "on, instead of taking one of them")
        .better(Better::either)
        .software(),
    key::integer<&LinkEntry::count>("count", 1, max_in_parallel, "1", "number of such links side by side")
        .better(Better::more)
        .hardware(),
    key::boolean<&LinkEntry::one_way>("one-way", "false", "whether the link leads from `from` to `to` only"),
};

class WrittenGraph {
 public:
  explicit WrittenGraph(const InputNode& map) : draft_(map.where) {}

  void add_nodes(const InputNode& nodes);
  void add_links(const InputNode& links);
  void read_groups(const InputNode& groups);
  void list_routes(const InputNode& routes);
  BuiltNetwork finish();

 private:
  void add_entry(const NodeEntry& entry, const InputNode& written);
  void add_link(const LinkEntry& link, const InputNode& written);
  void join(NodeId a, NodeId b, const LinkEntry& link, const InputNode& written);

  GraphDraft draft_;
  NodeNames names_;
  std::vector<int> groups_;
};

constexpr Key<WrittenGraph> graph_keys[] = {
    key::custom<[](const InputNode& node, WrittenGraph& graph) { graph.add_nodes(node); }>(
        "nodes", "list", "required", "NPUs are numbered in the order in which they stand here")
        .above(keys_of_list<node_keys>),
    key::custom<[](const InputNode& node, WrittenGraph& graph) { graph.add_links(node); }>("links", "list",
                                                                                           "required", "")
        .above(keys_of_list<link_keys>),
    key::custom<[](const InputNode& node, WrittenGraph& graph) { graph.read_groups(node); }>(
        "groups", "list of whole numbers", "one group of all",
        "sizes of the groups that NPUs form, innermost first, such as `[8, 16]`; their product is the number "
        "of NPUs"),
    key::custom<[](const InputNode& node, WrittenGraph& graph) { graph.list_routes(node); }>(
        "routes", "list of lists of nodes", "none",
        "ways from one NPU to another, node by node, such as `[gpu0, leaf0, gpu1]`, of the routing `static`"),
};

void WrittenGraph::add_nodes(const InputNode& nodes) {
  std::vector<NodeEntry> entries;
  for (const InputNode& node : list_of(nodes, "nodes"))
    read_map(node, "a node", node_keys, entries.emplace_back());
  for (const bool npus : {true, false})
    for (std::size_t i = 0; i < entries.size(); ++i)
      if ((entries[i].kind == NodeKind::npu) == npus) add_entry(entries[i], nodes.items[i]);
  if (draft_.graph().npus() == 0)
    throw InputError(nodes.where, "there is no NPU among the nodes: add one of `kind: npu`");
}

void WrittenGraph::add_entry(const NodeEntry& entry, const InputNode& written) {
  const int count = entry.count.value_or(1);
  if (entry.reduces && (entry.kind != NodeKind::network_switch || !entry.forwards.value_or(true)))
    throw InputError(written.find("reduces")->where,
                     "only a switch that forwards can reduce what passes it: leave `reduces` out");
  if (entry.buffer > 0 && !entry.forwards.value_or(entry.kind != NodeKind::npu))
    throw InputError(written.find("buffer")->where,
                     "only a node that forwards has a buffer for what passes it: leave `buffer` out");
  require_graph_room(static_cast<double>(draft_.graph().nodes()) + count, written.where);
  std::vector<NodeId> nodes;
  for (int i = 0; i < count; ++i)
    nodes.push_back(
        draft_.add({entry.kind, entry.count ? fmt::format("{}{}", entry.name, i) : entry.name,
                    entry.forwards.value_or(entry.kind != NodeKind::npu), entry.reduces, entry.buffer}));
  names_.add(entry.name, std::move(nodes), entry.count.has_value(), written.find("name")->where);
}

void WrittenGraph::add_links(const InputNode& links) {
  for (const InputNode& node : items_of(links, "links")) {
    LinkEntry link;
    read_map(node, "a link", link_keys, link);
    add_link(link, node);
  }
}

void WrittenGraph::join(NodeId a, NodeId b, const LinkEntry& link, const InputNode& written) {
  if (a == b)
    throw InputError(written.where, fmt::format("a link joins {} to itself: leave that node out at one end",
                                                backquoted(draft_.graph().node(a).name)));
  draft_.join(a, b, link);
}

void WrittenGraph::add_link(const LinkEntry& link, const InputNode& written) {
  const std::vector<NodeId> from = names_.nodes_of(*link.from, "from");
  if (link.pattern == Pattern::ring) {
    if (link.to) throw InputError(link.to->where, "a ring joins the nodes of `from`: leave `to` out");
    for (std::size_t i = 0; i + 1 < from.size(); ++i) join(from[i], from[i + 1], link, written);
    if (from.size() > 2 || (from.size() == 2 && link.one_way)) join(from.back(), from[0], link, written);
    return;
  }
  const std::vector<NodeId> to = names_.nodes_of(required(written, "a link", "to"), "to");
  const std::size_t most = std::max(from.size(), to.size()), least = std::min(from.size(), to.size());
  if (link.pattern == Pattern::each_to_each) {
    for (std::size_t a = 0; a < from.size(); ++a)
      for (std::size_t b = 0; b < to.size(); ++b)
        if (from != to || from.size() == 1 || a < b || (link.one_way && a != b))
          join(from[a], to[b], link, written);
    return;
  }
  if (most % least != 0 || (link.pattern == Pattern::one_to_one && most != least))
    throw InputError(written.where,
                     fmt::format("{} nodes cannot be joined {} with {}: choose {}", from.size(),
                                 word_of(pattern_words, link.pattern), to.size(),
                                 link.pattern == Pattern::one_to_one ? "as many of both"
                                                                     : "a multiple of one for the other"));
  const bool in_turn = link.pattern == Pattern::round_robin;
  for (std::size_t i = 0; i < most; ++i)
    join(from[in_turn ? i % from.size() : i * from.size() / most],
         to[in_turn ? i % to.size() : i * to.size() / most], link, written);
}

void WrittenGraph::read_groups(const InputNode& groups) {
  double npus = 1;
  for (const InputNode& size : list_of(groups, "groups")) {
    groups_.push_back(int_of(size, "groups", 1, max_of_an_entry));
    npus *= groups_.back();
  }
  const std::size_t has = draft_.graph().npus();
  if (npus != static_cast<double>(has))
    throw InputError(groups.where,
                     fmt::format("groups of these sizes hold {:.0f} NPUs, but there are {}: their "
                                 "product has to be that",
                                 npus, has));
}

void WrittenGraph::list_routes(const InputNode& routes) {
  for (const InputNode& route : list_of(routes, "routes")) {
    const std::vector<NodeId> nodes = names_.nodes_of(route, "routes[]");
    const NetworkGraph& graph = draft_.graph();
    const auto is_npu = [&](NodeId node) { return graph.node(node).kind == NodeKind::npu; };
    if (nodes.size() < 2 || !is_npu(nodes.front()) || !is_npu(nodes.back()) || nodes.front() == nodes.back())
      throw InputError(route.where,
                       "a way leads from one NPU to another: list these and all nodes between them");
    std::vector<LinkId> links_of_route;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      const auto links = graph.links_from(nodes[i]);
      const auto link = std::ranges::find(links, nodes[i + 1], [&](LinkId id) { return graph.link(id).to; });
      if (link == links.end())
        throw InputError(route.where, fmt::format("no link leads from {} to {}: list every node of the way",
                                                  backquoted(graph.node(nodes[i]).name),
                                                  backquoted(graph.node(nodes[i + 1]).name)));
      if (i > 0 && !graph.node(nodes[i]).forwards)
        throw InputError(route.where, fmt::format("{} does not forward: give it `forwards: true`",
                                                  backquoted(graph.node(nodes[i]).name)));
      if (std::ranges::find(links_of_route, *link) != links_of_route.end())
        throw InputError(route.where,
                         fmt::format("the way passes {} twice", backquoted(graph.node(nodes[i]).name)));
      links_of_route.push_back(*link);
    }
    if (graph.listed_route(nodes.front(), nodes.back()))
      throw InputError(route.where, fmt::format("there is a way from {} to {} already",
                                                backquoted(graph.node(nodes.front()).name),
                                                backquoted(graph.node(nodes.back()).name)));
    draft_.list_route(nodes.front(), nodes.back(), std::move(links_of_route));
  }
}

BuiltNetwork WrittenGraph::finish() {
  if (groups_.empty()) groups_ = {static_cast<int>(draft_.graph().npus())};
  return {draft_.finish(), groups_};
}

}  // namespace

BuiltNetwork read_written_graph(const InputNode& map) {
  WrittenGraph graph(map);
  read_map(map, "a network", graph_keys, graph);
  return graph.finish();
}

std::vector<KeyPath> written_graph_keys() {
  return key_paths("", graph_keys);
}

}  // namespace orrery::core
