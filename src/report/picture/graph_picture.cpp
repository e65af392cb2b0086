#include "report/picture/graph_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "topology/graph/measures/graph_levels.hpp"
#include "topology/graph/node_kinds.hpp"
#include "topology/graph/node_names.hpp"

namespace orrery::core {

namespace {

constexpr double apart = 0.025, far_apart = 0.1, beside_others = 0.25;  // how far lines bend
constexpr std::size_t few_nodes = 12;
constexpr double row_by_width = 0.16;

// Numbers groups of nodes in the order of their first nodes.
template <class Key>
std::vector<std::size_t> groups_by(const NetworkGraph& graph, const auto& key_of) {
  std::map<Key, std::size_t> numbers;
  std::vector<std::size_t> groups;
  for (const NodeId node : graph.all_nodes())
    groups.push_back(numbers.try_emplace(key_of(node), numbers.size()).first->second);
  return groups;
}

class GraphPicture {
 public:
  GraphPicture(const NetworkGraph& graph, const KnownLoads& loads)
      : graph_(graph), loads_(loads), levels_(levels_of_nodes(graph)) {
    choose_groups();
  }

  NetworkPicture draw() {
    add_nodes();
    place();
    for (const NodeId node : graph_.all_nodes()) nodes_[graph_.node(node).name] = groups_[node.index()];
    for (const LinkId id : graph_.all_links()) {
      const NetworkLink& link = graph_.link(id);
      ++link_between(groups_[link.from.index()], groups_[link.to.index()]).load.links;
    }
    add_loads();
    add_history();
    return std::move(picture_);
  }

 private:
  using Shows = NetworkPicture::Shows;

  // Links that are drawn as one at least join the same classes of nodes.
  void choose_groups() {
    groups_ = groups_by<NodeId>(graph_, [](NodeId node) { return node; });
    if (fits(Shows::all)) return;
    groups_ = groups_by<std::tuple<NodeKind, int, std::vector<NodeId>>>(graph_, [&](NodeId node) {
      return std::tuple(graph_.node(node).kind, levels_[node.index()], neighbours_of(node));
    });
    if (fits(Shows::joined)) return;
    groups_ = groups_by<std::tuple<NodeKind, int, std::string>>(graph_, [&](NodeId node) {
      return std::tuple(graph_.node(node).kind, levels_[node.index()],
                        name_without_number(graph_.node(node).name));
    });
    picture_.shows = Shows::classes;
  }

  bool fits(Shows shows) {
    picture_.shows = shows;
    return *std::ranges::max_element(groups_) < max_drawn_nodes && !loads_.is_any_unclear();
  }

  std::vector<NodeId> neighbours_of(NodeId node) const {
    std::vector<NodeId> all;
    for (const LinkId link : graph_.links_from(node)) all.push_back(graph_.link(link).to);
    for (const LinkId link : graph_.links_to(node)) all.push_back(graph_.link(link).from);
    std::ranges::sort(all);
    return all;
  }

  void add_nodes() {
    std::vector<NodeId> last;
    for (const NodeId node : graph_.all_nodes()) {
      const NetworkNode& of = graph_.node(node);
      if (groups_[node.index()] == picture_.nodes.size()) {
        picture_.nodes.push_back({of.name, word_of(node_kind_words, of.kind), 0});
        group_levels_.push_back(levels_[node.index()]);
        last.push_back(node);
      }
      ++picture_.nodes[groups_[node.index()]].nodes;
      last[groups_[node.index()]] = node;
    }
    for (std::size_t group = 0; group < last.size(); ++group) {
      PictureNode& node = picture_.nodes[group];
      if (node.nodes > 1) node.name = fmt::format("{} ... {}", node.name, graph_.node(last[group]).name);
    }
  }

  // Nodes without a way from an NPU are on top.
  void place() {
    const int top = *std::ranges::max_element(group_levels_) + 1;
    std::map<std::pair<int, std::string_view>, std::vector<std::size_t>> rows;
    for (std::size_t group = 0; group < picture_.nodes.size(); ++group)
      rows[{group_levels_[group] < 0 ? top : group_levels_[group], picture_.nodes[group].kind}].push_back(
          group);
    if (rows.size() == 1) return place_in_circle();
    std::size_t widest = 0;
    for (const auto& [row, groups] : rows) widest = std::max(widest, groups.size());
    const double width = static_cast<double>(widest);
    double y = 0;
    for (const auto& [row, groups] : rows) {
      const double step = width / static_cast<double>(groups.size());
      double x = step / 2;
      for (const std::size_t group : groups) {
        picture_.nodes[group].x = x;
        picture_.nodes[group].y = y;
        x += step;
      }
      y += std::max(1.0, width * row_by_width);
    }
  }

  void place_in_circle() {
    const double turn = 2 * std::numbers::pi / static_cast<double>(picture_.nodes.size());
    const double radius = static_cast<double>(picture_.nodes.size()) / (2 * std::numbers::pi);
    for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
      picture_.nodes[i].x = radius * std::sin(turn * static_cast<double>(i));
      picture_.nodes[i].y = radius * std::cos(turn * static_cast<double>(i));
    }
    in_circle_ = true;
  }

  PictureLink& link_between(std::size_t from, std::size_t to) {
    const auto [place, is_new] = links_.try_emplace({from, to}, picture_.links.size());
    if (is_new) {
      PictureLink& link = picture_.links.emplace_back(PictureLink{from, to, {}, false, bend_of(from, to)});
      link.load = {};
    }
    return picture_.links[place->second];
  }

  double bend_of(std::size_t from, std::size_t to) const {
    const PictureNode &a = picture_.nodes[from], &b = picture_.nodes[to];
    const bool passes_others = !in_circle_ && a.y == b.y && std::abs(a.x - b.x) > 0;
    if (passes_others) return beside_others;
    return picture_.nodes.size() > few_nodes ? apart : far_apart;
  }

  void add_loads() {
    for (const auto& [ends, load] : loads_.by_ends()) {
      PictureLink* link = known_link(ends);
      if (link == nullptr) continue;
      const std::uint64_t links = link->load.links;
      link->load += load;
      link->load.links = links;  // those that carried nothing are among them
    }
  }

  // Returns null where no such nodes are in the graph, or no link is between them.
  PictureLink* known_link(const LinkEnds& ends) {
    const auto from = nodes_.find(ends.first), to = nodes_.find(ends.second);
    if (from == nodes_.end() || to == nodes_.end()) return nullptr;
    const auto found = links_.find({from->second, to->second});
    return found == links_.end() ? nullptr : &picture_.links[found->second];
  }

  void add_history() {
    std::map<std::size_t, std::vector<const LinkSeries*>> series;
    for (const auto& [ends, of] : loads_.series())
      if (const PictureLink* link = known_link(ends))
        series[static_cast<std::size_t>(link - picture_.links.data())].push_back(of);
    for (const auto& [link, of] : series) add_moments(of, loads_.interval(), link, picture_);
  }

  const NetworkGraph& graph_;
  const KnownLoads& loads_;
  const std::vector<int> levels_;
  std::vector<std::size_t> groups_;  // by node of the graph
  std::vector<int> group_levels_;
  std::unordered_map<std::string, std::size_t> nodes_;  // group by name
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> links_;
  NetworkPicture picture_;
  bool in_circle_ = false;
};

}  // namespace

NetworkPicture graph_picture(const NetworkGraph& graph, const KnownLoads& loads) {
  return GraphPicture(graph, loads).draw();
}

}  // namespace orrery::core
