#include "report/network/graph_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/text/readable.hpp"
#include "report/network/graph_edges.hpp"
#include "topology/graph/measures/graph_levels.hpp"
#include "topology/graph/node_kinds.hpp"

namespace orrery::core {
namespace {

// Lengths in pixels.
constexpr double space = 44, row_height = 140, radius = 9, margin = 40, deepest_arc = 90;

std::string_view color_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::npu:
      return "#2b6cb0";
    case NodeKind::nic:
      return "#2f855a";
    case NodeKind::cpu:
      return "#805ad5";
    case NodeKind::pcie_switch:
      return "#b7791f";
    case NodeKind::network_switch:
      break;
  }
  return "#c53030";
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

struct Point {
  double x = 0, y = 0;
};

class Drawing {
 public:
  explicit Drawing(const NetworkGraph& graph) : graph_(graph), points_(graph.nodes()) { place_nodes(); }

  std::string text() const {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} "
        "{1:.0f}\" font-family=\"sans-serif\" font-size=\"9\" text-anchor=\"middle\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<g fill=\"none\" stroke=\"#888\">\n",
        width_, height_);
    for (const GraphEdge& edge : edges_of(graph_)) svg += line_of(edge);
    svg += "</g>\n";
    for (const NodeId node : graph_.all_nodes()) svg += mark_of(node);
    return svg + "</svg>\n";
  }

 private:
  // Rows are levels, and those of a level kinds; nodes without a way from an NPU are on top.
  void place_nodes() {
    const std::vector<int> levels = levels_of_nodes(graph_);
    const int top = *std::ranges::max_element(levels) + 1;
    std::map<std::pair<int, NodeKind>, std::vector<NodeId>> rows;
    for (const NodeId node : graph_.all_nodes())
      rows[{levels[node.index()] < 0 ? top : levels[node.index()], graph_.node(node).kind}].push_back(node);
    std::size_t widest = 0;
    for (const auto& row : rows) widest = std::max(widest, row.second.size());
    width_ = 2 * margin + space * static_cast<double>(widest);
    height_ = 2 * margin + deepest_arc + row_height * static_cast<double>(rows.size() - 1);
    double y = height_ - margin - deepest_arc;
    for (const auto& row : rows) {
      const double step = (width_ - 2 * margin) / static_cast<double>(row.second.size());
      double x = margin + step / 2;
      for (const NodeId node : row.second) {
        points_[node.index()] = {x, y};
        x += step;
      }
      y -= row_height;
    }
  }

  // Lines within a row are arcs below it, so that they do not pass through the nodes between their ends.
  std::string line_of(const GraphEdge& edge) const {
    const NetworkLink& link = graph_.link(edge.link);
    const Point a = points_[link.from.index()], b = points_[link.to.index()];
    const double depth = a.y == b.y ? std::min(deepest_arc, 20 + std::abs(a.x - b.x) / 6) * 2 : 0;
    return fmt::format(
        "<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\"{}{}><title>{} {} {}: {}{}, "
        "{}</title></path>\n",
        a.x, a.y, (a.x + b.x) / 2, (a.y + b.y) / 2 + depth, b.x, b.y,
        edge.cables > 1 ? " stroke-width=\"2\"" : "", edge.both_ways ? "" : " stroke-dasharray=\"4 2\"",
        escaped(graph_.node(link.from).name), edge.both_ways ? "-" : "to", escaped(graph_.node(link.to).name),
        edge.cables > 1 ? fmt::format("{} x ", edge.cables) : "",
        readable_count(link.bandwidth.bytes_per_ns() * 1e9, "B/s"), readable(link.latency));
  }

  std::string mark_of(NodeId id) const {
    const NetworkNode& node = graph_.node(id);
    const Point at = points_[id.index()];
    return fmt::format(
        "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"{2}\" fill=\"{3}\"><title>{4}, {5}</title></circle>"
        "<text x=\"{0:.1f}\" y=\"{6:.1f}\" stroke=\"white\" stroke-width=\"3\" "
        "paint-order=\"stroke\">{4}</text>\n",
        at.x, at.y, radius, color_of(node.kind), escaped(node.name), word_of(node_kind_words, node.kind),
        at.y - radius - 3);
  }

  const NetworkGraph& graph_;
  std::vector<Point> points_;  // by node
  double width_ = 0, height_ = 0;
};

}  // namespace

std::string graph_svg(const NetworkGraph& graph) {
  return Drawing(graph).text();
}

}  // namespace orrery::core
