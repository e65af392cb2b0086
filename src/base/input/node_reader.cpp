#include "base/input/node_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostics/printable.hpp"
#include "base/diagnostics/unreachable.hpp"
#include "base/text/quantity.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {
namespace {

std::string described(const InputNode& node) {
  switch (node.kind) {
    case InputNode::Kind::null:
      return "nothing";
    case InputNode::Kind::text:
      return "the text " + backquoted(node.text);
    case InputNode::Kind::scalar:
    case InputNode::Kind::number:
    case InputNode::Kind::boolean:
      return backquoted(node.text);
    case InputNode::Kind::list:
      return node.items.empty() ? "an empty list" : "a list";
    case InputNode::Kind::map:
      return "a map";
  }
  unreachable("every kind of value has a description");
}

}  // namespace

void reject_value(const InputNode& node, std::string_view key, const std::string& wanted) {
  throw InputError(node.where, fmt::format("`{}` has to be {}, not {}", key, wanted, described(node)));
}

const std::string& scalar_of(const InputNode& node, std::string_view key) {
  const bool single = node.may_be(InputNode::Kind::number) || node.may_be(InputNode::Kind::boolean);
  if (!node.may_be(InputNode::Kind::text))
    reject_value(node, key, single ? "a text in double quotes" : "a single value");
  return node.text;
}

const std::string& label_of(const InputNode& node, std::string_view key) {
  constexpr std::size_t longest = 200;
  const std::string& text = scalar_of(node, key);
  if (text.empty() || text.size() > longest || !is_printable(text))
    reject_value(node, key, fmt::format("a name of 1 to {} characters without control characters", longest));
  return text;
}

std::int64_t whole_of(const InputNode& node, std::string_view key, std::int64_t least, std::int64_t largest) {
  const auto value = node.may_be(InputNode::Kind::number) ? parse_signed(node.text) : std::nullopt;
  if (!value || *value < least || *value > largest)
    reject_value(node, key, fmt::format("a whole number from {} to {}", least, largest));
  return *value;
}

int int_of(const InputNode& node, std::string_view key, int least, int largest) {
  return static_cast<int>(whole_of(node, key, least, largest));
}

double number_of(const InputNode& node, std::string_view key) {
  const auto value = node.may_be(InputNode::Kind::number) ? parse_real(node.text) : std::nullopt;
  if (!value) reject_value(node, key, "a number");
  return *value;
}

double real_of(const InputNode& node, std::string_view key, double least, double largest) {
  const auto value = node.may_be(InputNode::Kind::number) ? parse_real(node.text) : std::nullopt;
  if (!value || *value < least || *value > largest)
    reject_value(node, key, fmt::format("a number from {} to {}", least, largest));
  return *value;
}

double positive_of(const InputNode& node, std::string_view key, double largest) {
  const auto value = node.may_be(InputNode::Kind::number) ? parse_real(node.text) : std::nullopt;
  if (!value || *value <= 0 || *value > largest)
    reject_value(node, key, fmt::format("a number above 0, at most {}", largest));
  return *value;
}

bool bool_of(const InputNode& node, std::string_view key) {
  if (!node.may_be(InputNode::Kind::boolean) || (node.text != "true" && node.text != "false"))
    reject_value(node, key, "true or false");
  return node.text == "true";
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

const std::vector<InputNode>& items_of(const InputNode& node, std::string_view key) {
  if (node.kind != InputNode::Kind::list) reject_value(node, key, "a list");
  return node.items;
}

const std::vector<InputNode>& list_of(const InputNode& node, std::string_view key) {
  if (node.kind != InputNode::Kind::list || node.items.empty())
    reject_value(node, key, "a list with at least one element");
  return node.items;
}

std::vector<std::string> texts_of(const InputNode& node, std::string_view key) {
  require_map(node, fmt::format("`{}`", key));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < node.names.size(); ++i)
    texts.push_back(node.names[i].text + ": " + scalar_of(node.items[i], node.names[i].text));
  return texts;
}

void require_map(const InputNode& node, std::string_view what) {
  if (node.kind == InputNode::Kind::map) return;
  throw InputError(node.where,
                   fmt::format("{} has to be a map of keys and values, not {}", what, described(node)));
}

void reject_word(const InputNode& node, std::string_view key, std::span<const std::string_view> words) {
  throw InputError(node.where,
                   fmt::format("`{}` has to be {}, not {}", key, alternatives(words), backquoted(node.text)));
}

void require_map_of(const InputNode& node, std::string_view what, std::span<const std::string_view> known,
                    Warnings* ignored) {
  require_map(node, what);
  for (const InputName& name : node.names) {
    if (std::find(known.begin(), known.end(), name.text) != known.end()) continue;
    const std::string unknown = "unknown key " + backquoted(name.text), hint = suggestion(name.text, known);
    if (!ignored)
      throw InputError(name.where, unknown + (hint.empty() ? "; known here: " + alternatives(known) : hint));
    ignored->add(name.where, unknown + " is ignored" + hint);
  }
}

const InputNode& required(const InputNode& map, std::string_view what, std::string_view key) {
  const InputNode* value = map.find(key);
  if (!value) throw InputError(map.where, fmt::format("{} needs the key `{}`", what, key));
  return *value;
}

}  // namespace orrery::core
