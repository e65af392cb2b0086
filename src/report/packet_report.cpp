#include "report/packet_report.hpp"

#include <algorithm>

namespace orrery {
namespace {

// Return what a member of what is known of a link's packets or flits holds; an empty cell where nothing is.
template <auto member>
constexpr auto of_packets =
    [](const BusiestLinks& row) { return row.of_packets ? Cell((*row.of_packets).*member) : Cell(); };
template <auto member>
constexpr auto of_flits =
    [](const BusiestLinks& row) { return row.of_flits ? Cell((*row.of_flits).*member) : Cell(); };

constexpr Column<BusiestLinks> packet_link_columns[] = {
    {"packets", "", "How many packets each sent.", of_packets<&PacketLinkUse::packets>},
    {"drops", "", "Packets that were lost there, or for want of room in front of it.",
     of_packets<&PacketLinkUse::drops>},
    {"marks", "", "Packets that were marked when they left for it.", of_packets<&PacketLinkUse::marks>},
    {"pauses", "", "How often a priority had to pause, as the other end asked for it.",
     of_packets<&PacketLinkUse::pauses>},
    {"paused_us", "us", "Time for which one priority or more had to.", of_packets<&PacketLinkUse::paused>},
    {"credit_waits", "",
     "How often a lane lacked credits: of a switch for the packet whose turn it was, of an NPU for one of "
     "full size.",
     of_packets<&PacketLinkUse::credit_waits>},
    {"credit_wait_us", "us", "Time for which one lane or more lacked them.",
     of_packets<&PacketLinkUse::credit_waiting>},
    {"longest_queue", "bytes", "What waited for it in a switch, at most.",
     of_packets<&PacketLinkUse::longest_queue>},
    {"mean_queue", "bytes", "The same, averaged over the run.",
     [](const BusiestLinks& row) {
       return row.of_packets ? Cell(Real{row.of_packets->mean_queue, 6}) : Cell();
     }},
    {"trims", "", "Packets that lost their payload, as there was no room for it in front of it.",
     of_packets<&PacketLinkUse::trims>},
    {"resent", "bytes", "Of data that an NPU sent there again, as it had not arrived or seemed not to have.",
     of_packets<&PacketLinkUse::resent>},
};

constexpr Column<BusiestLinks> flit_link_columns[] = {
    {"packets", "", "How many packets each carried.", of_flits<&FlitLinkUse::packets>},
    {"flits", "", "How many flits these had.", of_flits<&FlitLinkUse::flits>},
    {"longest_line", "", "Flits that stood in line in front of it at most, where it is narrower than a flit.",
     of_flits<&FlitLinkUse::longest_line>},
    {"most_channels", "", "Virtual channels of a vnet at its end that had a packet at once, at most.",
     of_flits<&FlitLinkUse::most_channels>},
    {"fullest_channel", "", "Flits in the buffer of one of them at once, at most.",
     of_flits<&FlitLinkUse::fullest_channel>},
    {"stalled_cycles", "", "Cycles in which a packet that wanted to take it waited for a buffer at its end.",
     of_flits<&FlitLinkUse::stalled_cycles>},
    {"mean_flits", "", "Flits in the buffers at its end, averaged over the run.",
     of_flits<&FlitLinkUse::mean_flits>},
};

constexpr Column<SwitchUse> switch_columns[] = {
    {"switch", "", "Name of the switch, or of another node that passes on packets.",
     [](auto& row) { return std::string_view(row.name); }},
    {"buffer", "bytes", "Size of the buffer that its ports share; empty where lanes have their own.",
     [](auto& row) { return row.buffer; }},
    {"peak", "bytes", "What it held of others at once, at most.", [](auto& row) { return row.peak; }},
    {"drops", "", "Packets that were lost for want of room in it, or on the links out of it.",
     [](auto& row) { return row.drops; }},
    {"marks", "", "Packets that it marked.", [](auto& row) { return row.marks; }},
    {"pauses", "", "How often a sender at one of its links had to pause for it.",
     [](auto& row) { return row.pauses; }},
};

double mean_of(const MessageClass& of, double sum) {
  return sum / static_cast<double>(of.messages);
}

constexpr Column<MessageClass> message_columns[] = {
    {"from_bytes", "bytes", "These messages have so many bytes or more.", [](auto& row) { return row.from; }},
    {"to_bytes", "bytes", "And less than this.", [](auto& row) { return row.to; }},
    {"messages", "", "How many these are.", [](auto& row) { return row.messages; }},
    {"mean_us", "us", "What they took on average, from their start to their end.",
     [](auto& row) { return Time::from_ns_rounded(mean_of(row, row.took_ns)); }},
    {"longest_us", "us", "What one of them took at most.", [](auto& row) { return row.longest; }},
    {"mean_slowdown", "ratio", "Their time by that of each alone in the network, on average.",
     [](auto& row) {
       return Real{mean_of(row, row.slowdowns), 6};
     }},
    {"largest_slowdown", "ratio", "The same of one of them, at most.",
     [](auto& row) {
       return Real{row.largest_slowdown, 6};
     }},
    {"resent", "bytes", "Of them that were sent again, as they had not arrived or seemed not to have.",
     [](auto& row) { return row.resent; }},
};

constexpr Column<LatencyRow> latency_columns[] = {
    {"vnet", "", "In which the packets were received.", [](auto& row) { return row.vnet; }},
    {"from_us", "us", "They took so long or longer, from the NPU that made them to the receipt of the tail.",
     [](auto& row) { return row.from; }},
    {"to_us", "us", "And less than this.", [](auto& row) { return row.to; }},
    {"packets", "", "How many these are.", [](auto& row) { return row.packets; }},
};

Time time_of(const PacketLatencies& of, double units) {
  return Time::from_ns_rounded(units * of.unit_ns);
}

constexpr Column<PacketLatencies> vnet_latency_columns[] = {
    {"vnet", "", "In which the packets were received.", [](auto& row) { return row.vnet; }},
    {"packets", "", "How many these are.", [](auto& row) { return row.histogram.count(); }},
    {"mean_us", "us", "What they took on average.",
     [](auto& row) { return time_of(row, row.histogram.mean()); }},
    {"longest_us", "us", "What they took at most.",
     [](auto& row) { return time_of(row, static_cast<double>(row.histogram.longest())); }},
};

// Returns what a member of what is known of a link's packets in an interval holds.
template <auto member>
constexpr auto of_interval =
    [](const LinkInterval& row) { return row.packets ? Cell((*row.packets).*member) : Cell(); };

constexpr Column<LinkInterval> packet_history_columns[] = {
    {"longest_queue", "bytes", "What waited for the link in a switch, at most.",
     [](auto& row) { return row.packets ? Cell(Bytes(row.packets->longest_queue)) : Cell(); }},
    {"drops", "", "Packets that were lost there, or for want of room in front of it.",
     of_interval<&PacketInterval::drops>},
    {"marks", "", "Packets that were marked when they left for it.", of_interval<&PacketInterval::marks>},
};

constexpr Column<SwitchInterval> switch_history_columns[] = {
    {"switch", "", "Name of the switch, or of another node that passes on packets.",
     [](auto& row) { return std::string_view(row.of.name); }},
    {"start_us", "us", "Begin of the interval.", [](auto& row) { return row.start; }},
    {"end_us", "us", "Its end.", [](auto& row) { return row.end; }},
    {"peak", "bytes", "What the switch held at once in it, at most.", [](auto& row) { return row.peak; }},
};

}  // namespace

const Table<MessageClass> message_table = message_columns;
const Table<LatencyRow> latency_table = latency_columns;
const Table<PacketLatencies> vnet_latency_table = vnet_latency_columns;
const Table<LinkInterval> packet_history_table = packet_history_columns;
const Table<SwitchInterval> switch_history_table = switch_history_columns;
const Table<BusiestLinks> packet_link_table = packet_link_columns;
const Table<BusiestLinks> flit_link_table = flit_link_columns;
const Table<SwitchUse> switch_table = switch_columns;

std::vector<Column<BusiestLinks>> with_packets(Table<BusiestLinks> table,
                                               const std::vector<BusiestLinks>& rows) {
  std::vector<Column<BusiestLinks>> columns(table.begin(), table.end());
  const auto add = [&](Table<BusiestLinks> more) { columns.insert(columns.end(), more.begin(), more.end()); };
  if (std::ranges::any_of(rows, [](auto& row) { return row.of_packets.has_value(); })) add(packet_link_table);
  if (std::ranges::any_of(rows, [](auto& row) { return row.of_flits.has_value(); })) add(flit_link_table);
  return columns;
}

std::string switches_csv(const std::vector<SwitchUse>& switches) {
  return csv_of(switch_table, switches);
}

std::string messages_csv(const std::vector<MessageClass>& classes) {
  return csv_of(message_table, classes);
}

std::string latencies_csv(const std::vector<PacketLatencies>& latencies) {
  std::vector<LatencyRow> rows;
  for (const PacketLatencies& of : latencies)
    for (const LatencyHistogram::Bucket& bucket : of.histogram.buckets())
      rows.push_back({of.vnet, time_of(of, static_cast<double>(bucket.from)),
                      time_of(of, static_cast<double>(bucket.to)), bucket.count});
  return csv_of(latency_table, rows);
}

std::string switch_history_csv(const LinkHistory& history) {
  std::vector<SwitchInterval> rows;
  for (const SwitchSeries& of : history.switches)
    for (std::size_t i = 0; i < of.held.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      rows.push_back(
          {of, history.interval * number, history.interval * (number + 1), Bytes(of.held[i].peak)});
    }
  return csv_of(switch_history_table, rows);
}

}  // namespace orrery
