#include "base/node_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/quantity.hpp"
#include "base/token_reader.hpp"

namespace orrery {
namespace {

std::string described(const InputNode& node) {
  switch (node.kind) {
    case InputNode::Kind::null:
      return "nothing";
    case InputNode::Kind::scalar:
      return backquoted(node.text);
    case InputNode::Kind::list:
      return node.items.empty() ? "an empty list" : "a list";
    case InputNode::Kind::map:
      return "a map";
  }
  return {};
}

}  // namespace

void reject_value(const InputNode& node, std::string_view key, const std::string& wanted) {
  throw InputError(node.where, fmt::format("`{}` has to be {}, not {}", key, wanted, described(node)));
}

const std::string& scalar_of(const InputNode& node, std::string_view key) {
  if (node.kind != InputNode::Kind::scalar) reject_value(node, key, "a single value");
  return node.text;
}

const std::string& label_of(const InputNode& node, std::string_view key) {
  constexpr std::size_t longest = 200;
  const std::string& text = scalar_of(node, key);
  if (text.empty() || text.size() > longest || !is_printable(text))
    reject_value(node, key, fmt::format("a name of 1 to {} characters without control characters", longest));
  return text;
}

int int_of(const InputNode& node, std::string_view key, int least, int largest) {
  const auto value = parse_signed(scalar_of(node, key));
  if (!value || *value < least || *value > largest)
    reject_value(node, key, fmt::format("a whole number from {} to {}", least, largest));
  return static_cast<int>(*value);
}

double real_of(const InputNode& node, std::string_view key, double least, double largest) {
  const auto value = parse_real(scalar_of(node, key));
  if (!value || *value < least || *value > largest)
    reject_value(node, key, fmt::format("a number from {} to {}", least, largest));
  return *value;
}

bool bool_of(const InputNode& node, std::string_view key) {
  const std::string& text = scalar_of(node, key);
  if (text != "true" && text != "false") reject_value(node, key, "true or false");
  return text == "true";
}

Time time_of(const InputNode& node, std::string_view key) {
  return parse_time(scalar_of(node, key), node.where);
}

Bytes bytes_of(const InputNode& node, std::string_view key) {
  return parse_bytes(scalar_of(node, key), node.where);
}

Bandwidth bandwidth_of(const InputNode& node, std::string_view key) {
  return parse_bandwidth(scalar_of(node, key), node.where);
}

double flops_of(const InputNode& node, std::string_view key) {
  return parse_flops(scalar_of(node, key), node.where);
}

const std::vector<InputNode>& list_of(const InputNode& node, std::string_view key) {
  if (node.kind != InputNode::Kind::list || node.items.empty())
    reject_value(node, key, "a list with at least one element");
  return node.items;
}

void require_map(const InputNode& node, std::string_view what) {
  if (node.kind == InputNode::Kind::map) return;
  throw InputError(node.where,
                   fmt::format("{} has to be a map of keys and values, not {}", what, described(node)));
}

void reject_word(const InputNode& node, std::string_view key, std::span<const std::string_view> words) {
  reject_value(node, key, alternatives(words));
}

void require_map_of(const InputNode& node, std::string_view what, std::span<const std::string_view> known) {
  require_map(node, what);
  for (const InputName& name : node.names) {
    if (std::find(known.begin(), known.end(), name.text) != known.end()) continue;
    const std::string hint = suggestion(name.text, known);
    throw InputError(name.where, "unknown key " + backquoted(name.text) +
                                     (hint.empty() ? "; known here: " + alternatives(known) : hint));
  }
}

const InputNode& required(const InputNode& map, std::string_view what, std::string_view key) {
  const InputNode* value = map.find(key);
  if (!value) throw InputError(map.where, fmt::format("{} needs the key `{}`", what, key));
  return *value;
}

}  // namespace orrery
