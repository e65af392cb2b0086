// Reports what packets and flits have met in a network. docs/outputs/links.md lists columns and keys.
#pragma once

#include <string>
#include <vector>

#include "network/latency_histogram.hpp"
#include "network/message_times.hpp"
#include "network/switch_use.hpp"
#include "report/network/link_report.hpp"
#include "report/table/row_sink.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

// Further columns for links that send packets or pass flits. For other links their cells are empty.
extern const Table<BusiestLinks> packet_link_table, flit_link_table;

// Returns the columns of a table of links, followed by those of the further columns that have a cell in any
// row.
std::vector<Column<BusiestLinks>> with_packets(Table<BusiestLinks> table,
                                               const std::vector<BusiestLinks>& rows);

extern const Table<SwitchUse> switch_table;

// Returns switches.csv: a line per node that has held packets of others.
TableRows switches_rows(const std::vector<SwitchUse>& switches);

// The packets of a vnet whose latencies lie in a bucket, or all packets of a vnet.
struct LatencyRow {
  std::uint32_t vnet;
  Time from, to;
  std::uint64_t packets;
};
extern const Table<LatencyRow> latency_table;
extern const Table<PacketLatencies> vnet_latency_table;

// Returns latencies.csv: a line per vnet and bucket.
TableRows latencies_rows(const std::vector<PacketLatencies>& latencies);

extern const Table<MessageClass> message_table;

// Returns messages.csv: a line per class of messages.
TableRows messages_rows(const std::vector<MessageClass>& classes);

// Further columns of link-history.csv where the network knows packets.
extern const Table<LinkInterval> packet_history_table;

// A switch in an interval of time.
struct SwitchInterval {
  const SwitchSeries& of;
  Time start, end;
  Bytes peak;
};
extern const Table<SwitchInterval> switch_history_table;

// Returns switch-history.csv: a line per switch and interval.
TableRows switch_history_rows(const LinkHistory& history);

}  // namespace orrery::core
