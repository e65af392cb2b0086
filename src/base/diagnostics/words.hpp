// Tables of the words that stand for the values of an enumeration, and functions that quote words in
// messages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace orrery::core {

template <class T>
struct EnumName {
  std::string_view word;
  T value;
};

// `table` is any range of Word<T>.
template <class Table>
auto value_of(const Table& table, std::string_view word) {
  using Value = std::remove_cvref_t<decltype(table.begin()->value)>;
  for (const auto& entry : table)
    if (entry.word == word) return std::optional<Value>(entry.value);
  return std::optional<Value>();
}

// Returns the word for a value; empty when the table lacks the value.
template <class Table, class T>
std::string_view word_of(const Table& table, const T& value) {
  for (const auto& entry : table)
    if (entry.value == value) return entry.word;
  return {};
}

template <class Table>
std::vector<std::string_view> words_of(const Table& table) {
  std::vector<std::string_view> words;
  for (const auto& entry : table) words.push_back(entry.word);
  return words;
}

// Returns "`word`", cut when it is long, with its control characters escaped.
std::string backquoted(std::string_view word);
// Returns "`a`, `b` or `c`".
std::string alternatives(std::span<const std::string_view> words);
// Returns ", did you mean `x`?" when one of `words` is a few typing errors away, otherwise an empty text.
std::string suggestion(std::string_view word, std::span<const std::string_view> words);

}  // namespace orrery::core
