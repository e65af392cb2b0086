#include "topology/graph/node_names.hpp"

#include <fmt/format.h>

#include "base/input/node_reader.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {

void NodeNames::take(const std::string& name, NodeId node, const SourceLocation& where) {
  if (!nodes_.emplace(name, node).second)
    throw InputError(where, fmt::format("there are two nodes {}: give one another `name`", backquoted(name)));
}

void NodeNames::add(const std::string& name, std::vector<NodeId> nodes, bool numbered,
                    const SourceLocation& where) {
  if (entries_.contains(name))
    throw InputError(where,
                     fmt::format("{} stands here a second time: give it another `name`", backquoted(name)));
  if (!numbered) take(name, nodes.at(0), where);
  for (std::size_t i = 0; numbered && i < nodes.size(); ++i) take(name + std::to_string(i), nodes[i], where);
  entries_.emplace(name, std::move(nodes));
}

std::vector<NodeId> NodeNames::nodes_of(const InputNode& names, std::string_view key) const {
  std::vector<NodeId> nodes;
  if (names.kind != InputNode::Kind::list) {
    append(names, key, nodes);
    return nodes;
  }
  for (const InputNode& name : list_of(names, key)) append(name, key, nodes);
  return nodes;
}

void NodeNames::append(const InputNode& name, std::string_view key, std::vector<NodeId>& nodes) const {
  const std::string& text = scalar_of(name, key);
  if (const auto entry = entries_.find(text); entry != entries_.end()) {
    nodes.insert(nodes.end(), entry->second.begin(), entry->second.end());
  } else if (const auto node = nodes_.find(text); node != nodes_.end()) {
    nodes.push_back(node->second);
  } else if (const std::size_t bracket = text.find('['); bracket != text.npos && text.ends_with(']')) {
    const std::vector<NodeId> slice = slice_of(name, bracket);
    nodes.insert(nodes.end(), slice.begin(), slice.end());
  } else {
    std::vector<std::string_view> known;
    for (const auto& known_entry : entries_) known.push_back(known_entry.first);
    throw InputError(name.where,
                     fmt::format("there is no node {}{}: name an entry of `nodes`, or one node such "
                                 "as `gpu3` or `gpu[0-3]` of an entry `gpu`",
                                 backquoted(text), suggestion(text, known)));
  }
}

std::vector<NodeId> NodeNames::slice_of(const InputNode& name, std::size_t bracket) const {
  const std::string_view text = name.text;
  const std::string_view range = text.substr(bracket + 1, text.size() - bracket - 2);
  const std::size_t dash = std::min(range.find('-'), range.size());
  const auto first = parse_unsigned(range.substr(0, dash));
  const auto last = dash < range.size() ? parse_unsigned(range.substr(dash + 1)) : first;
  const auto entry = entries_.find(text.substr(0, bracket));
  if (entry == entries_.end() || !first || !last || *first > *last || *last >= entry->second.size())
    throw InputError(
        name.where,
        fmt::format("{} are no nodes: write an entry of `nodes` and the first and the last of its "
                    "numbers, such as `gpu[0-3]`",
                    backquoted(text)));
  return {entry->second.begin() + static_cast<std::ptrdiff_t>(*first),
          entry->second.begin() + static_cast<std::ptrdiff_t>(*last) + 1};
}

}  // namespace orrery::core
