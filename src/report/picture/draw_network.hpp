// Draws the network of a run with what its links have carried.
#pragma once

#include "network/link_history.hpp"
#include "network/link_use.hpp"
#include "report/picture/network_picture.hpp"
#include "report/table/row_sink.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

struct PictureNodeRow {
  const NetworkPicture& picture;
  const PictureNode& node;
};
struct PictureLinkRow {
  const NetworkPicture& picture;
  std::size_t number;
};
struct PictureMomentRow {
  const NetworkPicture& picture;
  const PictureMoment& moment;
};
extern const Table<PictureNodeRow> picture_node_table;      // topology-nodes.csv
extern const Table<PictureLinkRow> picture_link_table;      // topology-links.csv
extern const Table<PictureMomentRow> picture_moment_table;  // topology-history.csv

// `ring_ways_apart` is as in LinkMap, and `end` is the end of the run. Returns no nodes where nothing is
// known about links.
NetworkPicture draw_network(const Topology& topology, bool ring_ways_apart, const std::vector<LinkUse>& uses,
                            const LinkHistory& history, Time end);

// Returns the three tables, which may have no rows.
std::vector<NamedRows> picture_tables(NetworkPicture picture);

}  // namespace orrery::core
