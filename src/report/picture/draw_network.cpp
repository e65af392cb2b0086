#include "report/picture/draw_network.hpp"

#include <algorithm>

#include "base/diagnostics/words.hpp"
#include "network/packet/flits/fabric_graph.hpp"
#include "report/picture/dimension_picture.hpp"
#include "report/picture/graph_picture.hpp"
#include "report/picture/known_loads.hpp"
#include "report/stored/result_files.hpp"
#include "topology/graph/network_product.hpp"

namespace orrery::core {

namespace {

constexpr std::array<EnumName<NetworkPicture::Shows>, 4> shows_words{{
    {"all", NetworkPicture::Shows::all},
    {"joined", NetworkPicture::Shows::joined},
    {"classes", NetworkPicture::Shows::classes},
    {"dimensions", NetworkPicture::Shows::dimensions},
}};

constexpr Column<PictureNodeRow> node_columns_of_picture[] = {
    {"node", "",
     "Name of the node. Where the row stands for several nodes, the names of the first and the last.",
     [](auto& row) { return std::string_view(row.node.name); }},
    {"kind", "", "Kind of the node: `npu`, `nic`, `cpu`, `pcie-switch` or `switch`.",
     [](auto& row) { return row.node.kind; }},
    {"nodes", "", "Number of nodes that the row stands for.", [](auto& row) { return row.node.nodes; }},
    {"x", "", "Horizontal position, in steps to the right.",
     [](auto& row) {
       return Real{row.node.x, 4};
     }},
    {"y", "", "Vertical position, in steps upwards.",
     [](auto& row) {
       return Real{row.node.y, 4};
     }},
    {"dimension", "",
     "Dimension that the node is drawn for. The cell is empty unless each dimension is drawn by itself.",
     [](auto& row) { return std::string_view(row.node.dimension); }},
    {"shows", "",
     "What the drawing shows. `all`: every node. `joined`: nodes with the same neighbours as one. `classes`: "
     "nodes whose names differ by a number as one. `dimensions`: the group of NPU 0 in each dimension.",
     [](auto& row) { return word_of(shows_words, row.picture.shows); }},
};

const PictureLink& link_of(const PictureLinkRow& row) {
  return row.picture.links[row.number];
}
const PictureLoad& load_of(const PictureLinkRow& row) {
  return link_of(row).load;
}
// Only networks of packets know more about links than loads.
auto of_packets(const PictureLinkRow& row, const auto& value) {
  return load_of(row).longest_queue ? std::optional(value) : std::nullopt;
}

constexpr Column<PictureLinkRow> link_columns_of_picture[] = {
    {"link", "", "Number of the line.", [](auto& row) { return row.number; }},
    {"from", "", "Node from which it leads.",
     [](auto& row) { return std::string_view(row.picture.nodes[link_of(row).from].name); }},
    {"to", "", "Node to which it leads.",
     [](auto& row) { return std::string_view(row.picture.nodes[link_of(row).to].name); }},
    {"dimension", "", "Dimension that the line belongs to, where the network is described by dimensions.",
     [](auto& row) { return std::string_view(link_of(row).dimension); }},
    {"links", "", "Number of links that the line stands for.", [](auto& row) { return load_of(row).links; }},
    {"of_all", "",
     "`yes`: the line stands for all links of its dimension, because it is not known which of them carried "
     "what.",
     [](auto& row) { return link_of(row).of_all ? std::optional("yes") : std::nullopt; }},
    {"both_ways", "", "`yes`: the line stands for the links in both directions.",
     [](auto& row) { return link_of(row).both_ways ? std::optional("yes") : std::nullopt; }},
    {"x1", "", "Horizontal position of the line's beginning, in the steps of the nodes' `x`.",
     [](auto& row) {
       return Real{row.picture.nodes[link_of(row).from].x, 4};
     }},
    {"y1", "", "Vertical position of the line's beginning, in the steps of the nodes' `y`.",
     [](auto& row) {
       return Real{row.picture.nodes[link_of(row).from].y, 4};
     }},
    {"x2", "", "Horizontal position of the line's end.",
     [](auto& row) {
       return Real{row.picture.nodes[link_of(row).to].x, 4};
     }},
    {"y2", "", "Vertical position of the line's end.",
     [](auto& row) {
       return Real{row.picture.nodes[link_of(row).to].y, 4};
     }},
    {"bend", "", "How far the line bends to its left, as a share of its length.",
     [](auto& row) {
       return Real{link_of(row).bend, 4};
     }},
    {"utilization", "share", "Busy time of the busiest of these links, as a share of the time of the run.",
     [](auto& row) {
       return Real{load_of(row).most, 6};
     }},
    {"mean_utilization", "share", "Busy time of these links as a share of the time of the run, on average.",
     [](auto& row) {
       return Real{load_of(row).mean(), 6};
     }},
    {"bytes", "bytes", "Bytes that the busiest of these links has carried.",
     [](auto& row) { return load_of(row).bytes; }},
    {"longest_queue", "bytes",
     "Most bytes that waited in a switch for one of these links. It is known only where packets are "
     "simulated.",
     [](auto& row) { return of_packets(row, load_of(row).longest_queue); }},
    {"drops", "",
     "Number of packets that were lost on these links. It is known only where packets are simulated.",
     [](auto& row) { return of_packets(row, load_of(row).drops); }},
    {"marks", "",
     "Number of packets that were marked when they left for these links. It is known only where packets are "
     "simulated.",
     [](auto& row) { return of_packets(row, load_of(row).marks); }},
    {"pauses", "",
     "Number of times that a priority had to pause. It is known only where packets are simulated.",
     [](auto& row) { return of_packets(row, load_of(row).pauses); }},
    {"paused_us", "us",
     "Longest time for which a priority had to pause on one of these links. It is known only where packets "
     "are simulated.",
     [](auto& row) { return of_packets(row, load_of(row).paused); }},
};

constexpr Column<PictureMomentRow> moment_columns[] = {
    {"link", "", "Number of the link in topology-links.csv.", [](auto& row) { return row.moment.link; }},
    {"start_us", "us", "Beginning of the interval.", [](auto& row) { return row.moment.start; }},
    {"end_us", "us", "End of the interval.", [](auto& row) { return row.moment.end; }},
    {"use", "share",
     "Bytes that the link carries in the interval as a share of what it can carry. Where the line stands for "
     "several links, it is the largest of their shares.",
     [](auto& row) {
       return Real{row.moment.use, 6};
     }},
    {"queue", "bytes",
     "Most bytes that waited for the link in a switch. It is known only where packets are simulated.",
     [](auto& row) { return row.moment.longest_queue; }},
};

}  // namespace

const Table<PictureNodeRow> picture_node_table(node_columns_of_picture);
const Table<PictureLinkRow> picture_link_table(link_columns_of_picture);
const Table<PictureMomentRow> picture_moment_table(moment_columns);

NetworkPicture draw_network(const Topology& topology, bool ring_ways_apart, const std::vector<LinkUse>& uses,
                            const LinkHistory& history, Time end) {
  if (uses.empty()) return {};
  const KnownLoads loads(uses, history, end);
  if (topology.flits) return graph_picture(graph_of(*topology.flits).graph, loads);
  if (topology.graph && !topology.graph.product()) return graph_picture(*topology.graph, loads);
  if (!topology.graph) return dimension_picture(topology, LinkMap(topology, ring_ways_apart), loads);
  // A product has the blocks of its factors.
  Topology blocks = topology;
  bool ways_apart = true;
  for (std::size_t d = 0; d < blocks.dimensions.size(); ++d) {
    const ProductFactor& factor = (*topology.graph.product())[d];
    blocks.dimensions[d].block = factor.form == ProductFactor::Form::circle ? Block::ring
                                 : factor.form == ProductFactor::Form::full ? Block::fully_connected
                                                                            : Block::switched;
    ways_apart = ways_apart && !factor.both_ways_share;
  }
  return dimension_picture(blocks, LinkMap(blocks, ways_apart), loads);
}

std::vector<NamedRows> picture_tables(NetworkPicture of) {
  const auto owner = std::make_shared<const NetworkPicture>(std::move(of));
  const NetworkPicture& picture = *owner;
  std::vector<PictureNodeRow> nodes;
  for (const PictureNode& node : picture.nodes) nodes.push_back({picture, node});
  std::vector<PictureLinkRow> links;
  for (std::size_t i = 0; i < picture.links.size(); ++i) links.push_back({picture, i});
  std::vector<PictureMomentRow> moments;
  for (const PictureMoment& moment : picture.moments) moments.push_back({picture, moment});
  return {{result_file("topology-nodes.csv").name, {picture_node_table, std::move(nodes), owner}},
          {result_file("topology-links.csv").name, {picture_link_table, std::move(links), owner}},
          {result_file("topology-history.csv").name, {picture_moment_table, std::move(moments), owner}}};
}

}  // namespace orrery::core
