#include "report/network/packet_report.hpp"

#include <algorithm>

namespace orrery::core {
namespace {

// These return a member of the facts about a link's packets or flits; the cell is empty where there are no
// such facts.
template <auto member>
constexpr auto of_packets = [](const BusiestLinks& row) {
  return row.of_packets ? std::optional((*row.of_packets).*member) : std::nullopt;
};
template <auto member>
constexpr auto of_flits = [](const BusiestLinks& row) {
  return row.of_flits ? std::optional((*row.of_flits).*member) : std::nullopt;
};

constexpr Column<BusiestLinks> packet_link_columns[] = {
    {"packets", "", "Number of packets that each link sent.", of_packets<&PacketLinkUse::packets>},
    {"drops", "", "Number of packets that were lost on the link, or for want of room in front of it.",
     of_packets<&PacketLinkUse::drops>},
    {"marks", "", "Number of packets that were marked when they left for the link.",
     of_packets<&PacketLinkUse::marks>},
    {"pauses", "", "Number of times that a priority had to pause because the other end asked for it.",
     of_packets<&PacketLinkUse::pauses>},
    {"paused_us", "us", "Time for which at least one priority had to pause.",
     of_packets<&PacketLinkUse::paused>},
    {"credit_waits", "",
     "Number of times that a lane lacked credits. At a switch these are credits for the packet whose turn it "
     "was, at an NPU credits for a packet of full size.",
     of_packets<&PacketLinkUse::credit_waits>},
    {"credit_wait_us", "us", "Time for which at least one lane lacked credits.",
     of_packets<&PacketLinkUse::credit_waiting>},
    {"longest_queue", "bytes", "Most bytes that waited for the link in a switch.",
     of_packets<&PacketLinkUse::longest_queue>},
    {"mean_queue", "bytes", "Bytes that waited for the link in a switch, averaged over the run.",
     [](const BusiestLinks& row) {
       return row.of_packets ? std::optional(Real{row.of_packets->mean_queue, 6}) : std::nullopt;
     }},
    {"trims", "",
     "Number of packets that lost their payload because there was no room for it in front of the link.",
     of_packets<&PacketLinkUse::trims>},
    {"resent", "bytes",
     "Bytes of data that an NPU sent over the link again because they had not arrived, or seemed not to "
     "have.",
     of_packets<&PacketLinkUse::resent>},
};

constexpr Column<BusiestLinks> flit_link_columns[] = {
    {"packets", "", "Number of packets that each wire carried.", of_flits<&FlitLinkUse::packets>},
    {"flits", "", "Number of flits that these packets had.", of_flits<&FlitLinkUse::flits>},
    {"longest_line", "",
     "Most flits that stood in line in front of the wire, where it is narrower than a flit.",
     of_flits<&FlitLinkUse::longest_line>},
    {"most_channels", "",
     "Most virtual channels of a vnet that held a packet at the same time, at the end of the wire.",
     of_flits<&FlitLinkUse::max_channels>},
    {"fullest_channel", "", "Most flits that the buffer of one of these channels held at once.",
     of_flits<&FlitLinkUse::fullest_channel>},
    {"stalled_cycles", "",
     "Number of cycles in which a packet that was to take the wire waited for a buffer at its end.",
     of_flits<&FlitLinkUse::stalled_cycles>},
    {"mean_flits", "", "Flits in the buffers at the end of the wire, averaged over the run.",
     of_flits<&FlitLinkUse::mean_flits>},
};

constexpr Column<SwitchUse> switch_columns[] = {
    {"switch", "", "Name of the switch, or of another node that passes on packets.",
     [](auto& row) { return std::string_view(row.name); }},
    {"buffer", "bytes",
     "Size of the buffer that its ports share. The cell is empty where lanes have buffers of their own.",
     [](auto& row) { return row.buffer; }},
    {"peak", "bytes", "Most bytes that it held at once of what other nodes had sent.",
     [](auto& row) { return row.peak; }},
    {"drops", "",
     "Number of packets that were lost for want of room in the switch, or on the links out of it.",
     [](auto& row) { return row.drops; }},
    {"marks", "", "Number of packets that the switch marked.", [](auto& row) { return row.marks; }},
    {"pauses", "", "Number of times that a sender at one of its links had to pause for it.",
     [](auto& row) { return row.pauses; }},
};

double mean_of(const MessageClass& of, double sum) {
  return sum / static_cast<double>(of.messages);
}

constexpr Column<MessageClass> message_columns[] = {
    {"from_bytes", "bytes", "Lower bound of the sizes: each of these messages has at least so many bytes.",
     [](auto& row) { return row.from; }},
    {"to_bytes", "bytes", "Upper bound of the sizes: each of these messages has fewer bytes.",
     [](auto& row) { return row.to; }},
    {"messages", "", "Number of these messages.", [](auto& row) { return row.messages; }},
    {"mean_us", "us", "Time from the start to the end of a message, on average.",
     [](auto& row) { return Time::from_ns_rounded(mean_of(row, row.took_ns)); }},
    {"longest_us", "us", "Longest time that one of these messages took.",
     [](auto& row) { return row.longest; }},
    {"mean_slowdown", "ratio",
     "Time of a message divided by the time that it would take alone in the network, on average.",
     [](auto& row) {
       return Real{mean_of(row, row.slowdowns), 6};
     }},
    {"largest_slowdown", "ratio", "Largest such ratio of one of these messages.",
     [](auto& row) {
       return Real{row.largest_slowdown, 6};
     }},
    {"resent", "bytes",
     "Bytes of these messages that were sent again because they had not arrived, or seemed not to have.",
     [](auto& row) { return row.resent; }},
};

constexpr Column<LatencyRow> latency_columns[] = {
    {"vnet", "", "Vnet in which the packets were received.", [](auto& row) { return row.vnet; }},
    {"from_us", "us",
     "Lower bound of the times: each of these packets took at least so long, from the NPU that made it to "
     "the receipt of its tail.",
     [](auto& row) { return row.from; }},
    {"to_us", "us", "Upper bound of the times: each of these packets took less.",
     [](auto& row) { return row.to; }},
    {"packets", "", "Number of these packets.", [](auto& row) { return row.packets; }},
};

Time time_of(const PacketLatencies& of, double units) {
  return Time::from_ns_rounded(units * of.unit_ns);
}

constexpr Column<PacketLatencies> vnet_latency_columns[] = {
    {"vnet", "", "Vnet in which the packets were received.", [](auto& row) { return row.vnet; }},
    {"packets", "", "Number of these packets.", [](auto& row) { return row.histogram.count(); }},
    {"mean_us", "us", "Time that a packet took on average.",
     [](auto& row) { return time_of(row, row.histogram.mean()); }},
    {"longest_us", "us", "Longest time that a packet took.",
     [](auto& row) { return time_of(row, static_cast<double>(row.histogram.longest())); }},
};

// Returns a member of the facts about a link's packets in an interval.
template <auto member>
constexpr auto of_interval = [](const LinkInterval& row) {
  return row.packets ? std::optional((*row.packets).*member) : std::nullopt;
};

constexpr Column<LinkInterval> packet_history_columns[] = {
    {"longest_queue", "bytes", "Most bytes that waited for the link in a switch.",
     [](auto& row) { return row.packets ? std::optional(Bytes(row.packets->longest_queue)) : std::nullopt; }},
    {"drops", "", "Number of packets that were lost on the link, or for want of room in front of it.",
     of_interval<&PacketInterval::drops>},
    {"marks", "", "Number of packets that were marked when they left for the link.",
     of_interval<&PacketInterval::marks>},
};

constexpr Column<SwitchInterval> switch_history_columns[] = {
    {"switch", "", "Name of the switch, or of another node that passes on packets.",
     [](auto& row) { return std::string_view(row.of.name); }},
    {"start_us", "us", "Beginning of the interval.", [](auto& row) { return row.start; }},
    {"end_us", "us", "End of the interval.", [](auto& row) { return row.end; }},
    {"peak", "bytes", "Most bytes that the switch held at once in the interval.",
     [](auto& row) { return row.peak; }},
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

TableRows switches_rows(const std::vector<SwitchUse>& switches) {
  return {switch_table, switches};
}

TableRows messages_rows(const std::vector<MessageClass>& classes) {
  return {message_table, classes};
}

TableRows latencies_rows(const std::vector<PacketLatencies>& latencies) {
  std::vector<LatencyRow> rows;
  for (const PacketLatencies& of : latencies)
    for (const LatencyHistogram::Bucket& bucket : of.histogram.buckets())
      rows.push_back({of.vnet, time_of(of, static_cast<double>(bucket.from)),
                      time_of(of, static_cast<double>(bucket.to)), bucket.count});
  return {latency_table, std::move(rows)};
}

TableRows switch_history_rows(const LinkHistory& history) {
  std::vector<SwitchInterval> rows;
  for (const SwitchSeries& of : history.switches)
    for (std::size_t i = 0; i < of.held.size(); ++i) {
      const auto number = static_cast<std::int64_t>(i);
      rows.push_back(
          {of, history.interval * number, history.interval * (number + 1), Bytes(of.held[i].peak)});
    }
  return {switch_history_table, std::move(rows)};
}

}  // namespace orrery::core
