#include "base/yaml_base.hpp"

#include <utility>

namespace orrery {

YamlNode over_base(const YamlNode& node, const YamlNode& below, OverWord over_word) {
  YamlNode map;
  map.kind = node.kind;
  map.where = node.where;
  const auto add = [&](const YamlName& name, YamlNode item) {
    map.names.push_back(name);
    map.items.push_back(std::move(item));
  };
  for (std::size_t i = 0; i < node.names.size(); ++i) {
    const YamlName& name = node.names[i];
    if (name.text == "base") continue;
    YamlNode item = node.items[i];
    const YamlNode* under = below.find(name.text);
    if (under && item.kind == YamlNode::Kind::map && !item.find("base")) {
      if (under->kind == YamlNode::Kind::map) {
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

}  // namespace orrery
