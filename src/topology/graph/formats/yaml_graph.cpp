// Reads Orrery's own description of a network: a map that names a builder, or a map of nodes and links.
#include <algorithm>
#include <cctype>
#include <iterator>

#include "topology/graph/builders/network_builders.hpp"
#include "topology/graph/builders/network_plan.hpp"
#include "topology/graph/formats/graph_formats.hpp"
#include "topology/graph/formats/written_graph.hpp"

namespace orrery::core {
namespace {

const std::string first_keys[] = {"build", "nodes"};

bool is_first_key(std::string_view word) {
  return std::ranges::find(first_keys, word) != std::end(first_keys);
}

// Returns whether the outermost map of a text in braces has one of the keys; maps in it may be networks of an
// experiment.
bool has_first_key_in_braces(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto is_of_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '{' || text[i] == '[' ? 1 : text[i] == '}' || text[i] == ']' ? -1 : 0;
    const bool quoted = text[i] == '"';
    if (!quoted && !is_of_word(text[i])) continue;
    const std::size_t first = quoted ? i + 1 : i;
    std::size_t end = first;
    while (end < text.size() && (quoted ? text[end] != '"' : is_of_word(text[end]))) ++end;
    i = quoted ? end : end - 1;
    const std::size_t next = text.find_first_not_of(blanks, i + 1);
    if (depth == 1 && is_first_key(text.substr(first, end - first)) && next < text.size() &&
        text[next] == ':')
      return true;
  }
  return false;
}

// Returns whether one of the keys stands at the beginning of a line, or in a map in braces.
bool has_first_key(std::string_view text) {
  if (text.starts_with('{') && has_first_key_in_braces(text)) return true;
  return std::ranges::any_of(first_keys, [&](const std::string& key) {
    return text.starts_with(key + ":") || text.find("\n" + key + ":") != text.npos;
  });
}

BuiltNetwork read_yaml_graph(std::string_view text, const std::string& file, Warnings&) {
  return read_graph(parse_yaml(text, file));
}

}  // namespace

bool is_graph(const InputNode& node) {
  return std::ranges::any_of(first_keys, [&](const std::string& key) { return node.find(key) != nullptr; });
}

BuiltNetwork read_graph(const InputNode& map, const Extensions& extensions) {
  return map.find("nodes") ? read_written_graph(map) : build_network(map, extensions);
}

std::vector<KeyPath> yaml_graph_keys(const InputNode& map) {
  if (map.find("nodes")) return written_graph_keys();
  const InputNode* const name = map.find("build");
  for (const NetworkBuilder* builder : network_builders)
    if (name && builder->name == name->text) return builder->keys();
  return {};
}

const GraphFormat yaml_graph_format{"Orrery's network files", has_first_key, read_yaml_graph};

}  // namespace orrery::core
