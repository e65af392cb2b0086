#include "base/input/key_pairs.hpp"

#include <unordered_map>

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {

InputNode parse_key_pairs(std::string_view text, const std::string& file, Warnings& warnings) {
  InputNode map{InputNode::Kind::map, {}, {}, {}, {file}};
  std::unordered_map<std::string_view, std::size_t> place_of;  // in the map
  TokenReader reader(text, file);
  while (!reader.at_end()) {
    const Token key = reader.next("a key");
    const SourceLocation where = reader.where(key);
    if (key.text.size() < 2 || !key.text.ends_with(':'))
      throw InputError(where,
                       backquoted(key.text) +
                           " is no key: the file is made of pairs `key: value`, each key with its colon "
                           "attached, and has no comments");
    const Token value = reader.next("the value of " + backquoted(key.text));
    if (value.text.ends_with(':'))
      throw InputError(reader.where(value),
                       backquoted(key.text) + " has no value before " + backquoted(value.text) + ", add it");
    const std::string_view name = key.text.substr(0, key.text.size() - 1);
    const auto [place, first] = place_of.emplace(name, map.items.size());
    if (first) {
      map.names.push_back({std::string(name), where});
      map.items.emplace_back();
    } else {
      warnings.add(where, backquoted(key.text) + " is given twice, the last one counts");
    }
    map.items[place->second] = {
        InputNode::Kind::scalar, std::string(value.text), {}, {}, reader.where(value)};
  }
  return map;
}

}  // namespace orrery::core
