// Looks a word up in a table of what Orrery knows, and then among what plug-ins add.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/files/extensions.hpp"

namespace orrery::core {

// `Entry` is what the extensions hold: a pointer to something whose kind() is what the values of the table
// are, and which lives as long as the extensions. Returns none where nothing has the name.
template <class Entry, class Table>
auto find_kind(const Table& table, std::string_view word, const Extensions& extensions) {
  auto kind = value_of(table, word);
  if (kind) return kind;
  if (const auto entry = extensions.find<Entry>(word)) kind = (*entry)->kind();
  return kind;
}

// Returns the words of the table, and then those of plug-ins, which live as long as the extensions.
template <class Entry, class Table>
std::vector<std::string_view> all_words(const Table& table, const Extensions& extensions) {
  std::vector<std::string_view> words = words_of(table);
  for (const std::string_view foreign : extensions.names<Entry>()) words.push_back(foreign);
  return words;
}

}  // namespace orrery::core
