#include "base/input/yaml_base.hpp"

#include <utility>

namespace orrery::core {

InputNode over_base(const InputNode& node, const InputNode& below, OverWord over_word) {
  InputNode map;
  map.kind = node.kind;
  map.where = node.where;
  const auto add = [&](const InputName& name, InputNode item) {
    map.names.push_back(name);
    map.items.push_back(std::move(item));
  };
  for (std::size_t i = 0; i < node.names.size(); ++i) {
    const InputName& name = node.names[i];
    if (name.text == "base") continue;
    InputNode item = node.items[i];
    const InputNode* under = below.find(name.text);
    if (under && item.kind == InputNode::Kind::map && !item.find("base")) {
      if (under->kind == InputNode::Kind::map) {
        item = over_base(item, *under, over_word);
      } else if (over_word == OverWord::has_it_as_base) {
        item.names.push_back({"base", under->where});
        item.items.push_back(*under);
      }
    }
    add(name, std::move(item));
  }
  for (std::size_t i = 0; i < below.names.size(); ++i)
    if (!map.find(below.names[i].text)) add(below.names[i], below.items[i]);
  return map;
}

}  // namespace orrery::core
