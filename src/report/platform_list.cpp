#include "report/platform_list.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace orrery {

namespace {

int nics(const ClusterLinks& links) {
  return links.nics_per_node > 0 ? links.nics_per_node : links.gpus_per_node;
}

}  // namespace

std::vector<ListedPlatform> listed_platforms() {
  std::vector<ListedPlatform> list;
  for (const std::string_view word : platform_words()) {
    YamlNode name;
    name.kind = YamlNode::Kind::scalar;
    name.text = word;
    list.push_back({std::string(word), read_platform(name)});
  }
  return list;
}

std::string platform_list_text(const std::vector<ListedPlatform>& platforms) {
  std::string text = fmt::format("{:<14} {:<28} {:>9} {:<10} {:>9} {:<10} {}\n", "platform", "device",
                                 "GPUs/node", "inside", "NICs/node", "between", "software");
  for (const auto& [word, platform] : platforms) {
    const ClusterLinks& links = platform.library.links();
    fmt::format_to(std::back_inserter(text), "{:<14} {:<28} {:>9} {:<10} {:>9} {:<10} {}\n", word,
                   platform.device.facts.name, links.gpus_per_node, links.inside.text(), nics(links),
                   links.between.text(), platform.stack.name);
  }
  return text;
}

nlohmann::json platform_list_to_json(const std::vector<ListedPlatform>& platforms) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [word, platform] : platforms) {
    const ClusterLinks& links = platform.library.links();
    list.push_back({{"platform", word},
                    {"source", platform.source},
                    {"device", platform.device.facts.name},
                    {"gpus_per_node", links.gpus_per_node},
                    {"nics_per_node", nics(links)},
                    {"inside", links.inside.text()},
                    {"between", links.between.text()},
                    {"stack", platform.stack.name}});
  }
  return {{"platforms", list}};
}

}  // namespace orrery
