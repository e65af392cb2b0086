// Reports on links for every kind of run. docs/outputs/links.md lists columns and keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "network/link_history.hpp"
#include "network/link_use.hpp"
#include "report/table/row_sink.hpp"
#include "report/table/table.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Links of one dimension that have carried equally much.
struct BusiestLinks {
  std::string from, to;  // ends of the first of these links
  std::string dimension;
  std::uint64_t links = 0;
  double utilization = 0;  // busy time / run; above 1 where more is sent than they can carry in it
  Time busy = {};          // busy time of each link
  LinkLoad load = {};      // load of each link
  std::optional<PacketLinkUse> of_packets = {};
  std::optional<FlitLinkUse> of_flits = {};
};
extern const Table<BusiestLinks> link_table;

// Returns a row for each of the sets of links. `end` is the end of the run.
std::vector<BusiestLinks> link_rows(const std::vector<LinkUse>& links, const Topology& topology, Time end);

// Returns links.csv: a line per set of links that have carried equally much.
TableRows links_rows(const std::vector<LinkUse>& links, const Topology& topology, Time end);

// A link in an interval of time.
struct LinkInterval {
  const LinkSeries& link;
  Time start, end;
  double bytes = 0;
  std::optional<PacketInterval> packets = {};  // none: the network knows no packets
};
extern const Table<LinkInterval> link_history_table;

// Returns a line per link and interval, with the columns of packets where the network knows them.
TableRows link_history_rows(const LinkHistory& history);

// Returns the busiest links of each dimension that carries something, the busiest dimension first.
std::vector<BusiestLinks> busiest_links(const std::vector<LinkUse>& links, const Topology& topology,
                                        Time end);

// Returns whether the links would have to carry more than they can, beyond rounding. Then messages that share
// a link passed one another, so the run really takes longer than was simulated.
inline bool overloaded(const BusiestLinks& links) {
  return links.utilization > 1.01;
}

// This text has to be followed by what tells how long the run takes.
inline constexpr std::string_view what_overload_means =
    "messages meet there, which the network model `analytical` leaves out, so real times are longer";

}  // namespace orrery::core
