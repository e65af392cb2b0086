#include "topology/graph/formats/node_numbers.hpp"

#include "base/text/token_reader.hpp"

namespace orrery::core {

NodeNumbers::NodeNumbers(const NetworkGraph& graph) : nodes_(graph.nodes()) {
  if (graph.npus() == 0 || !graph.node(NodeId(0)).name.starts_with(numbered_host)) return;
  std::vector<std::uint32_t> numbers;
  for (const NodeId id : graph.all_nodes()) {
    const std::string_view name = graph.node(id).name;
    const std::size_t end = name.find_last_not_of("0123456789") + 1;
    const auto number = parse_unsigned(name.substr(end));
    if (!number || *number >= graph.nodes() || (graph.is_npu(id) && name.substr(0, end) != numbered_host) ||
        !numbered_.try_emplace(static_cast<std::uint32_t>(*number), id).second)
      return;
    numbers.push_back(static_cast<std::uint32_t>(*number));
  }
  numbers_ = std::move(numbers);
}

std::optional<NodeId> NodeNumbers::node(std::uint32_t number) const {
  if (numbers_.empty()) return number < nodes_ ? std::optional<NodeId>(number) : std::nullopt;
  const auto found = numbered_.find(number);
  return found == numbered_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace orrery::core
