#include "base/database/expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

namespace {

// Words of SQL that may stand in an expression beside names, and its functions of single values.
constexpr std::array<std::string_view, 46> sql_words{
    "and",      "or",     "not",   "in",     "between", "like",  "glob",  "is",     "null",    "isnull",
    "notnull",  "case",   "when",  "then",   "else",    "end",   "cast",  "as",     "integer", "real",
    "text",     "true",   "false", "abs",    "min",     "max",   "round", "length", "lower",   "upper",
    "coalesce", "ifnull", "iif",   "nullif", "substr",  "instr", "sqrt",  "pow",    "log",     "log2",
    "exp",      "floor",  "ceil",  "mod",    "asc",     "desc"};

bool begins_name(char letter) {
  return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}
bool goes_on(char letter) {
  return begins_name(letter) || std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

// Goes through an expression from left to right.
class Rewriter {
 public:
  Rewriter(std::string_view text, const SourceLocation& where, const std::vector<ExpressionName>& names,
           const ReadQuantity& quantity)
      : text_(text), where_(where), names_(names), quantity_(quantity) {}

  std::string sql() {
    while (place_ < text_.size()) step();
    if (depth_ != 0) reject("has a bracket that is not closed");
    for (const auto& [quantity, unit] : quantities_)
      if (!units_.contains(unit))
        throw InputError(
            where_, fmt::format("{} compares {} with nothing that has such a unit; name a value that does",
                                backquoted(text_), backquoted(quantity)));
    return std::move(sql_);
  }

 private:
  std::string_view rest() const { return text_.substr(place_); }

  void put(std::string_view sql, std::size_t letters) {
    sql_ += sql;
    place_ += letters;
  }

  void step() {
    const char letter = text_[place_];
    if (letter == '\'' || letter == '"')
      take_text(letter);
    else if (begins_name(letter))
      take_name();
    else if (std::isdigit(static_cast<unsigned char>(letter)) != 0)
      take_number();
    else if (rest().starts_with("&&"))
      put(" AND ", 2);
    else if (rest().starts_with("||"))
      put(" OR ", 2);
    else if (letter == '!' && !rest().starts_with("!="))
      put(" NOT ", 1);
    else
      take_sign(letter);
  }

  void take_sign(char letter) {
    constexpr std::string_view allowed = "+-*/%()<>=!,. \t\r\n&|~";
    if (allowed.find(letter) == std::string_view::npos || rest().starts_with("--") ||
        rest().starts_with("/*"))
      reject(fmt::format("has {} where an expression cannot have it", backquoted(rest().substr(0, 1))));
    depth_ += letter == '(' ? 1 : letter == ')' ? -1 : 0;
    if (depth_ < 0) reject("has a bracket that was not opened");
    put({&letter, 1}, 1);
  }

  void take_text(char quote) {
    const std::size_t end = text_.find(quote, place_ + 1);
    if (end == std::string_view::npos) reject("has a text without an end");
    std::string literal = "'";
    for (const char letter : text_.substr(place_ + 1, end - place_ - 1))
      literal.append(letter == '\'' ? "''" : std::string_view(&letter, 1));
    put(literal + "'", end + 1 - place_);
  }

  void take_name() {
    const ExpressionName* longest = nullptr;
    for (const ExpressionName& name : names_) {
      const bool fits = rest().starts_with(name.name) &&
                        (rest().size() == name.name.size() || !goes_on(rest()[name.name.size()]));
      if (fits && (!longest || name.name.size() > longest->name.size())) longest = &name;
    }
    if (longest) units_.insert(longest->unit);
    if (longest) return put(longest->sql, longest->name.size());
    std::size_t end = 1;
    while (end < rest().size() && goes_on(rest()[end])) ++end;
    const std::string_view word = rest().substr(0, end);
    std::string lower(word);
    std::ranges::transform(lower, lower.begin(), [](unsigned char letter) { return std::tolower(letter); });
    if (std::ranges::find(sql_words, lower) == sql_words.end()) reject_name(word);
    put(word, end);
  }

  // A number may have a unit behind it, which may be `GB/s` or `ns`. The longest text that is a quantity is
  // one.
  void take_number() {
    std::size_t end = 0;
    while (end < rest().size() && (std::isdigit(static_cast<unsigned char>(rest()[end])) != 0 ||
                                   rest()[end] == '.' || is_exponent(end)))
      ++end;
    std::size_t behind = end;
    while (behind < rest().size() && rest()[behind] == ' ') ++behind;
    std::size_t unit = behind;
    while (unit < rest().size() && (begins_name(rest()[unit]) || rest()[unit] == '/')) ++unit;
    for (; unit > behind; --unit) {
      if (unit < rest().size() && goes_on(rest()[unit])) continue;
      if (const auto read = quantity_(rest().substr(0, unit))) {
        quantities_.emplace_back(rest().substr(0, unit), read->unit);
        return put(fmt::format("{}", read->number), unit);
      }
    }
    put(rest().substr(0, end), end);
  }

  // Returns whether the letter at `end` is part of an exponent, as in 1e-6.
  bool is_exponent(std::size_t end) const {
    const auto is = [&](std::size_t at, std::string_view letters) {
      return at < rest().size() && letters.find(rest()[at]) != std::string_view::npos;
    };
    constexpr std::string_view digits = "0123456789";
    if (is(end, "eE")) return is(end + 1, digits) || (is(end + 1, "+-") && is(end + 2, digits));
    return end > 0 && is(end, "+-") && is(end - 1, "eE") && is(end + 1, digits);
  }

  [[noreturn]] void reject_name(std::string_view word) const {
    std::vector<std::string_view> known, told;
    for (const ExpressionName& name : names_) {
      known.push_back(name.name);
      if (name.is_told) told.push_back(name.name);
    }
    const std::string meant = suggestion(word, known);
    const std::string choice =
        told.empty() || told.size() > 20 ? "" : "there is " + alternatives(told) + ", and ";
    throw InputError(where_, fmt::format("{} has no value called {}{}", backquoted(text_), backquoted(word),
                                         meant.empty() ? "; " + choice + "texts stand in quotes" : meant));
  }
  [[noreturn]] void reject(const std::string& what) const {
    throw InputError(where_, fmt::format("{} {}; write an expression such as `tensor * data == 1024`",
                                         backquoted(text_), what));
  }

  std::string_view text_;
  const SourceLocation& where_;
  const std::vector<ExpressionName>& names_;
  const ReadQuantity& quantity_;
  std::size_t place_ = 0;
  int depth_ = 0;
  std::set<std::string> units_;                                  // of the names
  std::vector<std::pair<std::string, std::string>> quantities_;  // with their units
  std::string sql_;
};

}  // namespace

void with_expression(std::string_view text, const SourceLocation& where,
                     const std::function<void()>& prepare) {
  try {
    prepare();
  } catch (const InputError& error) {
    throw InputError(
        where, fmt::format("{} is no expression that SQLite reads ({}); write one such as `tensor * data == "
                           "1024`",
                           backquoted(text), error.message()));
  }
}

std::string sql_of_expression(std::string_view text, const SourceLocation& where,
                              const std::vector<ExpressionName>& names, const ReadQuantity& quantity) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(where, "an expression is empty; write one such as `tensor * data == 1024`");
  return Rewriter(text, where, names, quantity).sql();
}

}  // namespace orrery::core
