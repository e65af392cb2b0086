// A plain tree of what a user wrote, whatever the format. Every value knows its place in the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

struct InputNode;

struct InputName {  // a key of a map
  std::string text;
  SourceLocation where;
};

struct InputNode {
  // A scalar is a single value of YAML or plain text, which may be read as text, number or boolean. JSON
  // tells texts, numbers and booleans apart.
  enum class Kind { null, scalar, text, number, boolean, list, map };

  Kind kind = Kind::null;
  std::string text;              // of a single value
  std::vector<InputName> names;  // of a map, in the order of the file; names[i] belongs to items[i]
  std::vector<InputNode> items;  // elements of a list or values of a map
  SourceLocation where = {};

  // Returns the value of a key; null when this is no map or has no such key.
  const InputNode* find(std::string_view name) const;
  InputNode* find(std::string_view name);
  // Returns whether this is a single value that may be read as this kind: text, number or boolean.
  bool may_be(Kind wanted) const { return kind == Kind::scalar || kind == wanted; }
};

// Reads the single document of `text`; null when it is empty. Anchors and aliases are replaced by what they
// stand for. Throws InputError for bad YAML, two equal keys in a map, keys that are no words, and more than
// 64 levels. Also throws where aliases stand for very many values, because they can make a short text very
// large.
InputNode parse_yaml(std::string_view text, const std::string& file);

// Reads strict JSON (a byte order mark is skipped). Throws InputError for anything else, two equal keys in an
// object, and more than 200 levels.
InputNode parse_json(std::string_view text, const std::string& file);

}  // namespace orrery::core
