// Typed access to YAML values, and maps read by tables of keys.
//
// Every function throws an InputError at the value that is wrong; `key` is what the user calls it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bandwidth.hpp"
#include "base/bytes.hpp"
#include "base/time.hpp"
#include "base/words.hpp"
#include "base/yaml_node.hpp"

namespace orrery {

// Returns the text of a scalar.
const std::string& scalar_of(const YamlNode& node, std::string_view key);
// A name that reports will show: 1 to 200 characters, none of them a control character.
const std::string& label_of(const YamlNode& node, std::string_view key);
int int_of(const YamlNode& node, std::string_view key, int least, int largest);
// Returns a plain number from `least` to `largest`.
double real_of(const YamlNode& node, std::string_view key, double least, double largest);
bool bool_of(const YamlNode& node, std::string_view key);
Time time_of(const YamlNode& node, std::string_view key);
Bytes bytes_of(const YamlNode& node, std::string_view key);
Bandwidth bandwidth_of(const YamlNode& node, std::string_view key);
double flops_of(const YamlNode& node, std::string_view key);
// Returns the elements of a list that has at least one.
const std::vector<YamlNode>& list_of(const YamlNode& node, std::string_view key);
// Requires a map. `what` names it in a sentence, such as "a run".
void require_map(const YamlNode& node, std::string_view what);

// Throws InputError "`key` has to be <wanted>, not <what it is>".
[[noreturn]] void reject_value(const YamlNode& node, std::string_view key, const std::string& wanted);
[[noreturn]] void reject_word(const YamlNode& node, std::string_view key,
                              std::span<const std::string_view> words);

// The value of one of a table's words.
template <class Table>
auto word_value_of(const YamlNode& node, std::string_view key, const Table& table) {
  const auto value = value_of(table, scalar_of(node, key));
  if (!value) reject_word(node, key, words_of(table));
  return *value;
}

// One key that a map may have, and how its value gets into a Target.
template <class Target>
struct YamlKey {
  std::string_view name;
  void (*read)(const YamlNode& value, Target& target);
  // Returns the paths below the key; they begin with "." or "[]". Null: there are none.
  std::vector<std::string> (*below)() = nullptr;
};

// Requires that `node` is a map without other keys than these.
void require_map_of(const YamlNode& node, std::string_view what, std::span<const std::string_view> known);

// Reads a map, in the order of the table, so that a key may depend on those before it in the table; `what`
// names the map ("a network dimension"). Keys that the table lacks are errors.
template <class Target, class Keys>
void read_map(const YamlNode& node, std::string_view what, const Keys& keys, Target& target) {
  std::vector<std::string_view> known;
  for (const auto& key : keys) known.push_back(key.name);
  require_map_of(node, what, known);
  for (const auto& key : keys)
    if (const YamlNode* value = node.find(key.name)) key.read(*value, target);
}

// Returns the value of a key that has to be there.
const YamlNode& required(const YamlNode& map, std::string_view what, std::string_view key);

// `prefix` followed by each key and everything below it.
template <class Keys>
std::vector<std::string> key_paths(const std::string& prefix, const Keys& keys) {
  std::vector<std::string> paths;
  for (const auto& key : keys) {
    const std::string path = prefix + std::string(key.name);
    paths.push_back(path);
    if (!key.below) continue;
    for (const std::string& below : key.below()) paths.push_back(path + below);
  }
  return paths;
}

}  // namespace orrery
