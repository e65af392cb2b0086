#include "collective/plan/algorithm_list.hpp"

#include <algorithm>
#include <array>

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {
namespace {

constexpr std::size_t dimension_limit = 10;

constexpr std::array<EnumName<AlgorithmChoice>, 5> fixed_words{{
    {"ring", {&ring_algorithm}},
    {"halvingDoubling", {&halving_doubling_algorithm}},
    {"doubleBinaryTree", {&double_binary_tree_algorithm}},
    {"oneRing", {&ring_algorithm, 0, true}},
    {"oneHalvingDoubling", {&halving_doubling_algorithm, 0, true}},
}};

constexpr const char* known_words =
    "use ring, direct, direct<window>, halvingDoubling, doubleBinaryTree, oneRing, oneDirect, "
    "oneDirect<window> or "
    "oneHalvingDoubling, joined by underscores";

// Returns the window of a word such as `direct4`, of which `text` is the "4". 0 stands for all peers.
int parse_window(std::string_view word, std::string_view text, const SourceLocation& where,
                 Warnings& warnings) {
  constexpr int largest = 1 << 27;
  if (text.empty()) return 0;
  const auto window = parse_leading_integer(text);
  if (!window) throw InputError(where, "unknown algorithm " + backquoted(word) + ", " + known_words);
  if (window->value != -1 && (window->value < 1 || window->value > largest))
    throw InputError(where, "the window of " + backquoted(word) + " has to be -1 (all peers) or 1 to 2^27");
  if (!window->rest.empty())
    warnings.add(where, "the end of " + backquoted(word) + " is ignored: " + backquoted(window->rest));
  return window->value == -1 ? 0 : static_cast<int>(window->value);
}

AlgorithmChoice parse_word(std::string_view word, const SourceLocation& where, Warnings& warnings) {
  if (const auto choice = value_of(fixed_words, word)) return *choice;
  for (const std::string_view prefix : {"direct", "oneDirect"})
    if (word.starts_with(prefix)) {
      const int window = parse_window(word, word.substr(prefix.size()), where, warnings);
      return {&direct_algorithm, window, prefix == "oneDirect"};
    }
  throw InputError(where, "unknown algorithm " + backquoted(word) + ", " + known_words);
}

}  // namespace

std::vector<AlgorithmChoice> parse_algorithm_list(std::string_view list, const SourceLocation& where,
                                                  Warnings& warnings) {
  std::vector<AlgorithmChoice> choices;
  for (std::size_t start = list.find_first_not_of('_'); start < list.size();) {
    const std::size_t end = std::min(list.find('_', start), list.size());
    const SourceLocation here{where.file, where.line, where.column + static_cast<int>(start)};
    if (!choices.empty() && choices.back().whole_machine) {
      warnings.add(here, "the algorithms from here on are ignored: the one before spans the whole machine");
      break;
    }
    if (choices.size() == dimension_limit)
      throw InputError(here, "more than 10 algorithms are named, but no network has more dimensions");
    choices.push_back(parse_word(list.substr(start, end - start), here, warnings));
    start = list.find_first_not_of('_', end);
  }
  if (choices.empty()) throw InputError(where, std::string("no algorithm is named, ") + known_words);
  return choices;
}

}  // namespace orrery::core
