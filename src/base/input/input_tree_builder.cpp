#include "base/input/input_tree_builder.hpp"

#include <utility>

#include "base/diagnostics/words.hpp"

namespace orrery::core {
namespace {

template <class Node>
auto find_in(Node& map, std::string_view name) {
  for (std::size_t i = 0; i < map.names.size(); ++i)
    if (map.names[i].text == name) return &map.items[i];
  return decltype(&map.items[0])();
}

}  // namespace

const InputNode* InputNode::find(std::string_view name) const {
  return find_in(*this, name);
}

InputNode* InputNode::find(std::string_view name) {
  return find_in(*this, name);
}

void InputTreeBuilder::open(InputNode::Kind kind, SourceLocation where) {
  open_.push_back({{kind, {}, {}, {}, std::move(where)}});
  if (depth() > deepest_)
    throw InputError(open_.back().node.where, "nested deeper than " + std::to_string(deepest_) + " levels");
}

const InputNode& InputTreeBuilder::close() {
  InputNode closed = std::move(open_.back().node);
  open_.pop_back();
  add(std::move(closed));
  return open_.empty() ? root_ : open_.back().node.items.back();
}

void InputTreeBuilder::add(InputNode node, std::size_t levels) {
  if (depth() + levels > deepest_)
    throw InputError(node.where, "nested deeper than " + std::to_string(deepest_) + " levels");
  if (open_.empty()) {
    root_ = std::move(node);
    return;
  }
  Open& parent = open_.back();
  if (parent.node.kind == InputNode::Kind::map && !parent.name) return set_name(parent, std::move(node));
  if (parent.name) parent.node.names.push_back(*std::exchange(parent.name, {}));
  parent.node.items.push_back(std::move(node));
}

void InputTreeBuilder::set_name(Open& map, InputNode node) {
  if (!node.may_be(InputNode::Kind::text)) throw InputError(node.where, "a key has to be a word");
  if (!map.names.insert(node.text).second)
    throw InputError(node.where, "the key " + backquoted(node.text) + " stands twice; remove one");
  map.name = {std::move(node.text), std::move(node.where)};
}

}  // namespace orrery::core
