#include "network/flows/flow_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/input/csv_rows.hpp"
#include "base/text/token_reader.hpp"
#include "network/flows/connection_matrix.hpp"
#include "topology/graph/formats/node_numbers.hpp"
#include "topology/topology_check.hpp"

namespace orrery::core {
namespace {

constexpr std::int64_t max_flows = 100'000'000;
constexpr std::int64_t max_channels = 0xffffffff;
constexpr std::int64_t max_bytes = static_cast<std::int64_t>(Bytes::largest_input().count());

Time start_of(const InputNode& node, const KeyFacts& key) {
  const double us = number_of(node, key.name);
  if (!Time::is_input_ns(us * 1e3)) reject_value(node, key.name, "a time in microseconds of at most 30 days");
  return Time::from_ns_rounded(us * 1e3);
}

Bytes bytes_of(const InputNode& node, const KeyFacts& key) {
  return Bytes(static_cast<std::uint64_t>(whole_of(node, key.name, 0, max_bytes)));
}

std::vector<std::uint32_t> after_of(const InputNode& node, const KeyFacts& key) {
  std::vector<std::uint32_t> flows;
  TokenReader numbers(node.text, node.where.file);
  while (!numbers.at_end()) {
    const auto number = parse_unsigned(numbers.next("").text);
    if (!number || *number >= static_cast<std::uint64_t>(max_flows))
      reject_value(node, key.name, "numbers of flows, which count from 0, with blanks between them");
    flows.push_back(static_cast<std::uint32_t>(*number));
  }
  return flows;
}

constexpr Key<Flow> columns[] = {
    key::integer<&Flow::source>("source", 0, max_npus - 1, "required", "NPU that sends"),
    key::integer<&Flow::destination>("destination", 0, max_npus - 1, "required", "NPU that receives"),
    key::declared<bytes_of, KeyType::other, &Flow::bytes>("bytes", "required", "size of the flow")
        .of("bytes, whole"),
    key::declared<start_of, KeyType::other, &Flow::start>("start_us", "0",
                                                          "earliest time at which the flow starts")
        .of("us"),
    key::declared<after_of, KeyType::other, &Flow::after>(
        "after", "none",
        "flows that have to end before this one starts; it does not start before `start_us` either")
        .of("numbers of flows, which count from 0, with blanks between them"),
    key::integer<&Flow::channel>(
        "channel", 0, max_channels, "one of its own",
        "flows of a channel between the same NPUs go the same way, one behind the other; on a network of "
        "flits, it is their vnet"),
    key::integer<&Flow::priority>("priority", 0, 7, "that of all messages",
                                  "queue of switches in which the flow waits; only the network model "
                                  "`packet` on a graph has several queues"),
};

class Ns3Reader {
 public:
  Ns3Reader(std::string_view text, const std::string& file) : tokens_(text, file) {}

  std::vector<Flow> read() {
    const auto count = whole("the number of flows", max_flows);
    std::vector<Flow> flows;
    for (std::int64_t i = 0; i < count; ++i) {
      if (tokens_.at_end())
        throw InputError(tokens_.where(tokens_.peek()),
                         fmt::format("the first line announces {} flows, and the file ends after {}: add the "
                                     "others, or correct the number",
                                     count, i));
      flows.push_back(read_flow());
    }
    if (tokens_.at_end()) return flows;
    const Token token = tokens_.peek();
    throw InputError(
        tokens_.where(token),
        fmt::format("`{}` stands behind the last of {} flows: correct their number in the first line",
                    token.text, count));
  }

 private:
  std::int64_t whole(std::string_view what, std::int64_t largest) {
    const Token token = tokens_.next(what);
    const auto value = parse_signed(token.text);
    if (value && *value >= 0 && *value <= largest) return *value;
    throw InputError(tokens_.where(token), fmt::format("`{}` is not {}, which is a whole number up to {}",
                                                       token.text, what, largest));
  }

  Flow read_flow() {
    constexpr std::int64_t max_ports = 65'535;
    Flow flow;
    flow.where = tokens_.where(tokens_.peek());
    flow.source = static_cast<int>(whole("the source of a flow", max_npus - 1));
    flow.destination = static_cast<int>(whole("the destination of a flow", max_npus - 1));
    flow.priority = static_cast<int>(whole("the priority of a flow", 7));
    whole("the port of a flow", max_ports);  // it is the same for flows on different routes
    flow.bytes = Bytes(static_cast<std::uint64_t>(whole("the bytes of a flow", max_bytes)));
    const Token start = tokens_.next("the start of a flow, in seconds");
    const auto seconds = parse_real(start.text);
    if (!seconds || !Time::is_input_ns(*seconds * 1e9))
      throw InputError(
          tokens_.where(start),
          fmt::format("`{}` is not the start of a flow, which is a number of seconds up to 30 days",
                      start.text));
    flow.start = Time::from_ns_rounded(*seconds * 1e9);
    return flow;
  }

  TokenReader tokens_;
};

// Throws if flows wait for one another in a circle, or for flows that do not exist.
void check_order(const std::vector<Flow>& flows) {
  std::vector<std::vector<std::uint32_t>> waiting(flows.size());
  std::vector<std::size_t> missing(flows.size());
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < flows.size(); ++i) {
    missing[i] = flows[i].after.size();
    if (missing[i] == 0) ready.push_back(i);
    for (const std::uint32_t other : flows[i].after) {
      if (other >= flows.size())
        throw InputError(
            flows[i].where,
            fmt::format("the flow waits for flow {}, but there are flows 0 to {}", other, flows.size() - 1));
      waiting[other].push_back(i);
    }
  }
  for (std::size_t i = 0; i < ready.size(); ++i)
    for (const std::uint32_t other : waiting[ready[i]])
      if (--missing[other] == 0) ready.push_back(other);
  if (ready.size() == flows.size()) return;
  const auto stuck = static_cast<std::size_t>(
      std::ranges::find_if(missing, [](std::size_t left) { return left > 0; }) - missing.begin());
  throw InputError(flows[stuck].where, fmt::format("flow {} can never start: it waits, by way of others, for "
                                                   "flows that wait for one another; correct `after`",
                                                   stuck));
}

void check_flow(const Flow& flow) {
  if (flow.source == flow.destination)
    throw InputError(flow.where,
                     fmt::format("the flow leads from NPU {} to itself: leave it out", flow.source));
}

bool is_of_ns3(std::string_view text) {
  TokenReader tokens(text, "");
  return !tokens.at_end() && parse_unsigned(tokens.peek().text) && text.find(',') == text.npos;
}

std::vector<Flow> flows_of(ConnectionMatrix matrix, std::vector<MatrixFailure>* failures) {
  if (failures)
    *failures = std::move(matrix.failures);
  else if (!matrix.failures.empty())
    throw InputError(matrix.failures[0].where,
                     "flows in the background of a run break no links: give the run's own `failures`");
  return std::move(matrix.flows);
}

}  // namespace

std::vector<Flow> read_flow_file(std::string_view text, const std::string& file,
                                 std::vector<MatrixFailure>* failures) {
  std::vector<Flow> flows;
  if (is_connection_matrix(text))
    flows = flows_of(read_connection_matrix(text, file), failures);
  else if (is_of_ns3(text))
    flows = Ns3Reader(text, file).read();
  else
    flows = read_csv_rows<Flow>(text, file, "flows", columns);
  check_flows(flows);
  return flows;
}

void check_flows(const std::vector<Flow>& flows) {
  for (const Flow& flow : flows) check_flow(flow);
  check_order(flows);
}

bool names_nodes(std::string_view text) {
  return !is_connection_matrix(text) && is_of_ns3(text);
}

void find_npus(std::vector<Flow>& flows, const Topology& topology) {
  // A product numbers its nodes itself, and looking at them would make its graph.
  if (!topology.graph || topology.graph.product()) return;
  const NodeNumbers numbers(*topology.graph);
  if (!numbers.differ()) return;
  for (Flow& flow : flows) {
    for (int* const end : {&flow.source, &flow.destination}) {
      const auto node = numbers.node(static_cast<std::uint32_t>(*end));
      if (!node || !topology.graph->is_npu(*node))
        throw InputError(
            flow.where,
            fmt::format("the flow names node {}, which is no host of the network: correct it", *end));
      *end = static_cast<int>(node->value());
    }
  }
}

FlowFile read_flows_on(const Topology& topology, std::string_view text, const std::string& file) {
  FlowFile read;
  read.flows = read_flow_file(text, file, &read.failures);
  if (names_nodes(text)) find_npus(read.flows, topology);
  return read;
}

void FlowFile::break_links(Topology& topology, NetworkModel model, const std::string& elsewhere) const {
  if (failures.empty()) return;
  const SourceLocation& where = failures[0].where;
  throw_if(fault_of_routes(topology, model, where, "failures"));
  LinkChanges changes = changes_of(failures, *topology.graph);
  if (topology.link_changes) {
    if (!topology.link_changes->list.empty())
      throw InputError(
          where, fmt::format("both this file and {} say what breaks: write all into one of them", elsewhere));
    changes.relaying = topology.link_changes->relaying;
  }
  topology.link_changes = std::make_shared<const LinkChanges>(std::move(changes));
}

std::vector<KeyPath> flow_file_keys() {
  return key_paths("", columns);
}

}  // namespace orrery::core
