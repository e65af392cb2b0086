#include "network/flows/flow_list.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/input/keys.hpp"
#include "network/flows/flow_file.hpp"
#include "topology/topology_check.hpp"

namespace orrery::core {
namespace {

constexpr std::int64_t last_number = std::numeric_limits<std::uint32_t>::max();

Bytes size_with_or_without_unit(const InputNode& node, const KeyFacts& key) {
  const std::string& text = scalar_of(node, key.name);
  constexpr std::string_view digits = "0123456789";
  if (text.empty() || text.find_first_not_of(digits) != std::string::npos) return bytes_of(node, key.name);
  constexpr auto most = static_cast<std::int64_t>(Bytes::largest_input().count());
  return Bytes(static_cast<std::uint64_t>(whole_of(node, key.name, 0, most)));
}

std::vector<std::uint32_t> numbers_of_flows(const InputNode& node, const KeyFacts& key) {
  std::vector<std::uint32_t> numbers;
  for (const InputNode& item : list_of(node, key.name))
    numbers.push_back(static_cast<std::uint32_t>(whole_of(item, key.name, 0, last_number)));
  return numbers;
}

constexpr Key<Flow> flow_keys[] = {
    key::integer<&Flow::source>("source", 0, max_npus - 1, "required", "NPU that sends"),
    key::integer<&Flow::destination>("destination", 0, max_npus - 1, "required", "NPU that receives"),
    key::declared<size_with_or_without_unit, KeyType::size, &Flow::bytes>("bytes", "required",
                                                                          "size of the flow"),
    key::time<&Flow::start>("start", "0 s", "earliest time at which the flow starts"),
    key::declared<numbers_of_flows, KeyType::list, &Flow::after>(
        "after", "none", "numbers of the flows that have to end before this one starts"),
    key::integer<&Flow::channel>("channel", 0, last_number, "one of its own",
                                 "flows of a channel between the same NPUs go the same way"),
    key::integer<&Flow::priority>("priority", 0, 7, "that of all messages",
                                  "queue of switches in which the flow waits"),
};

// Returns `[source, destination, size]` as a map.
InputNode map_of(const InputNode& list) {
  constexpr std::array<std::string_view, 3> names{"source", "destination", "bytes"};
  if (list.items.size() != names.size())
    throw InputError(list.where, "a flow has a source, a destination and a size; give these three");
  InputNode map = list;
  map.kind = InputNode::Kind::map;
  for (const std::string_view name : names) map.names.push_back({std::string(name), list.where});
  return map;
}

}  // namespace

std::vector<Flow> read_flow_list(const InputNode& list) {
  std::vector<Flow> flows;
  for (const InputNode& item : list_of(list, "flows")) {
    Flow& flow = flows.emplace_back();
    flow.where = item.where;
    read_map(item.kind == InputNode::Kind::list ? map_of(item) : item, "a flow", flow_keys, flow);
  }
  check_flows(flows);
  return flows;
}

}  // namespace orrery::core
