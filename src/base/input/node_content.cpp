#include "base/input/node_content.hpp"

namespace orrery::core {

namespace {

void append_content(const InputNode& node, std::string& content) {
  content += static_cast<char>('a' + static_cast<int>(node.kind));
  content.append(std::to_string(node.text.size())).append(":").append(node.text);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i < node.names.size())
      content.append("k")
          .append(std::to_string(node.names[i].text.size()))
          .append(":")
          .append(node.names[i].text);
    append_content(node.items[i], content);
  }
  content += ';';
}

}  // namespace

std::string content_of(const InputNode& node) {
  std::string content;
  append_content(node, content);
  return content;
}

}  // namespace orrery::core
