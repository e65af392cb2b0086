#include "study/experiment/pieces/named_definitions.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/input/node_reader.hpp"
#include "base/input/yaml_base.hpp"

namespace orrery::core {

namespace {

constexpr int max_bases = 16;

}  // namespace

void NamedDefinitions::take(const InputNode* map) {
  if (map) require_map(*map, fmt::format("`{}`", kind_));
  map_ = map;
}

const InputNode& NamedDefinitions::resolve(const InputNode& node, int depth) {
  if (depth > max_bases)
    throw InputError(node.where,
                     "there are more than 16 pieces over one another; is one of them its own `base`?");
  if (node.kind == InputNode::Kind::scalar) {
    const InputNode* piece = find(node.text);
    if (!piece) return node;
    used_.insert(piece);
    return resolve(*piece, depth + 1);
  }
  const InputNode* base = node.find("base");
  if (!base) return node;
  const bool for_the_reader = other_ == OtherBase::for_the_reader;
  const InputNode& below = resolve(*base, depth + 1);
  if (&below == base) {
    if (for_the_reader) return node;
    throw InputError(base->where,
                     fmt::format("{} is no name under {}", backquoted(scalar_of(*base, "base")), names()));
  }
  const auto found = changed_.find(&node);
  if (found != changed_.end()) return found->second;
  const OverWord over_word = for_the_reader ? OverWord::has_it_as_base : OverWord::replaces_it;
  return changed_.emplace(&node, over_base(node, below, over_word)).first->second;
}

std::string NamedDefinitions::names() const {
  std::vector<std::string_view> names;
  if (map_)
    for (const InputName& name : map_->names) names.push_back(name.text);
  return fmt::format("`{}`{}", kind_, names.empty() ? "" : " (there: " + alternatives(names) + ")");
}

void NamedDefinitions::warn_of_unused(Warnings& warnings) const {
  if (!map_) return;
  for (std::size_t i = 0; i < map_->items.size(); ++i)
    if (!used_.contains(&map_->items[i]))
      warnings.add(map_->names[i].where,
                   "no run uses " + backquoted(map_->names[i].text) + ", so nothing in it is checked");
}

}  // namespace orrery::core
