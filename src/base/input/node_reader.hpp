// Gives typed access to what a user wrote.
//
// Every function throws an InputError at the value that is wrong; `key` is the user's word for it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/input/input_node.hpp"
#include "base/units/bandwidth.hpp"
#include "base/units/bytes.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

// Returns a text.
const std::string& scalar_of(const InputNode& node, std::string_view key);
// Returns a name that reports will show. It has 1 to 200 characters, none of them a control character.
const std::string& label_of(const InputNode& node, std::string_view key);
int int_of(const InputNode& node, std::string_view key, int least, int largest);
std::int64_t whole_of(const InputNode& node, std::string_view key, std::int64_t least, std::int64_t largest);
// Returns a plain number, from `least` to `largest`.
double number_of(const InputNode& node, std::string_view key);
double real_of(const InputNode& node, std::string_view key, double least, double largest);
// Returns a number above 0, at most `largest`.
double positive_of(const InputNode& node, std::string_view key, double largest);
bool bool_of(const InputNode& node, std::string_view key);
Time time_of(const InputNode& node, std::string_view key);
Bytes bytes_of(const InputNode& node, std::string_view key);
Bandwidth bandwidth_of(const InputNode& node, std::string_view key);
double flops_of(const InputNode& node, std::string_view key);
// Returns the elements of a list, and of one that has at least one.
const std::vector<InputNode>& items_of(const InputNode& node, std::string_view key);
const std::vector<InputNode>& list_of(const InputNode& node, std::string_view key);
// Returns "name: text" for each key of a map of texts.
std::vector<std::string> texts_of(const InputNode& node, std::string_view key);
// Requires a map. `what` names it in a sentence, such as "a run".
void require_map(const InputNode& node, std::string_view what);

// Throws InputError "`key` has to be <wanted>, not <what it is>".
[[noreturn]] void reject_value(const InputNode& node, std::string_view key, const std::string& wanted);
[[noreturn]] void reject_word(const InputNode& node, std::string_view key,
                              std::span<const std::string_view> words);

// Returns the value for which a word of the table stands.
template <class Table>
auto word_value_of(const InputNode& node, std::string_view key, const Table& table) {
  const auto value = value_of(table, scalar_of(node, key));
  if (!value) reject_word(node, key, words_of(table));
  return *value;
}

// Requires that `node` is a map without other keys than these. Where a format ignores other keys, `ignored`
// is given and gets a warning for each of them.
void require_map_of(const InputNode& node, std::string_view what, std::span<const std::string_view> known,
                    Warnings* ignored = nullptr);

// Returns the value of a key that has to be there.
const InputNode& required(const InputNode& map, std::string_view what, std::string_view key);

}  // namespace orrery::core
