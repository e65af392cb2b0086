// The words by which `orrery convert` keeps in a trace what only an execution graph knows.
#pragma once

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "program/execution_graph.hpp"

namespace orrery::core::chakra {

inline constexpr std::array<EnumName<OperationKind>, 8> operation_kind_words{{
    {"compute", OperationKind::compute},
    {"collective", OperationKind::collective},
    {"transition", OperationKind::transition},
    {"begin", OperationKind::begin},
    {"pass-end", OperationKind::pass_end},
    {"end", OperationKind::end},
    {"send", OperationKind::send},
    {"receive", OperationKind::receive},
}};
inline constexpr std::array<EnumName<Pass>, passes_of_a_layer> pass_words{{
    {"forward", Pass::forward},
    {"input-gradient", Pass::input_gradient},
    {"weight-gradient", Pass::weight_gradient},
}};
inline constexpr std::array<EnumName<bool>, 2> turn_words{{{"urgent", true}, {"in-turn", false}}};

// Reads words from the left.
class WordReader {
 public:
  // Keeps references. `place` is where they stand, as in "node 3: its attribute orrery_operation".
  WordReader(std::span<const std::string> words, std::string place, const std::string& file)
      : words_(words), place_(std::move(place)), file_(file) {}

  bool at_end() const { return next_ == words_.size(); }
  const std::string& text() {
    if (at_end()) fail("ends too early");
    return words_[next_++];
  }
  template <class Number>
  Number number(Number least, Number most) {
    const std::string& word = text();
    Number value{};
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size() ||
        !(value >= least && value <= most))
      fail(backquoted(word) + " is no number that fits there");
    return value;
  }
  template <class Value, std::size_t count>
  Value word(const std::array<EnumName<Value>, count>& known) {
    const std::string& word = text();
    const auto value = value_of(known, word);
    if (!value) fail(backquoted(word) + " is not one of " + alternatives(words_of(known)));
    return *value;
  }
  Time time() { return Time::from_ps(number<std::int64_t>(0, Time::longest_input().ps())); }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError({file_}, fmt::format("{} is damaged: {}", place_, what));
  }

 private:
  std::span<const std::string> words_;
  const std::string place_;
  const std::string& file_;
  std::size_t next_ = 0;
};

}  // namespace orrery::core::chakra
