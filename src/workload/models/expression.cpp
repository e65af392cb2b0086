#include "workload/models/expression.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "base/input/node_reader.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::uint64_t parameter(std::string_view name, const Parameters& parameters, const SourceLocation& where) {
  const auto found = parameters.find(name);
  if (found != parameters.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& [word, value] : parameters) known.push_back(word);
  throw InputError(where, "there is no parameter " + backquoted(name) + suggestion(name, known) +
                              "; numbers, parameters, `*` and `/` may stand here");
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const Parameters& parameters, const SourceLocation& where)
      : text_(text), parameters_(parameters), where_(where) {}

  std::uint64_t run() {
    std::uint64_t value = factor();
    for (skip_blanks(); position_ < text_.size(); skip_blanks()) {
      const char sign = text_[position_++];
      if (sign != '*' && sign != '/') fail("`*` or `/` has to stand between two factors");
      const std::uint64_t next = factor();
      value = sign == '*' ? checked_product({value, next}, backquoted(text_), where_) : quotient(value, next);
    }
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where_, fmt::format("{} is no expression: {}", backquoted(text_), what));
  }

  void skip_blanks() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }

  std::uint64_t quotient(std::uint64_t value, std::uint64_t divisor) const {
    if (divisor == 0 || value % divisor != 0)
      throw InputError(where_, fmt::format("{} has to be whole, but {} is not a multiple of {}",
                                           backquoted(text_), value, divisor));
    return value / divisor;
  }

  std::uint64_t factor() {
    skip_blanks();
    const std::size_t begin = position_;
    while (position_ < text_.size() &&
           (is_letter(text_[position_]) || is_digit(text_[position_]) || text_[position_] == '-'))
      ++position_;
    const std::string_view word = text_.substr(begin, position_ - begin);
    if (word.empty()) fail("a number or a parameter is missing");
    if (!is_digit(word.front())) return parameter(word, parameters_, where_);
    const auto number = parse_unsigned(word);
    if (!number || *number > largest_count) fail(backquoted(word) + " is no whole number up to 2^53");
    return *number;
  }

  std::string_view text_;
  const Parameters& parameters_;
  const SourceLocation& where_;
  std::size_t position_ = 0;
};

}  // namespace

std::uint64_t checked_product(std::initializer_list<std::uint64_t> factors, std::string_view what,
                              const SourceLocation& where) {
  if (std::find(factors.begin(), factors.end(), 0u) != factors.end()) return 0;
  std::uint64_t product = 1;
  for (const std::uint64_t factor : factors) {
    if (factor > largest_count / product)
      throw InputError(where, fmt::format("{} is more than 2^53; check the sizes", what));
    product *= factor;
  }
  return product;
}

std::uint64_t value_of_expression(const InputNode& node, std::string_view key, const Parameters& parameters) {
  return Evaluator(scalar_of(node, key), parameters, node.where).run();
}

std::string with_values(const InputNode& node, std::string_view key, const Parameters& parameters) {
  std::string_view text = scalar_of(node, key);
  std::string out;
  for (std::size_t open; (open = text.find('{')) != std::string_view::npos;) {
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos)
      throw InputError(node.where, backquoted(text) + " lacks a closing brace");
    out += text.substr(0, open);
    out += std::to_string(parameter(text.substr(open + 1, close - open - 1), parameters, node.where));
    text.remove_prefix(close + 1);
  }
  return out += text;
}

}  // namespace orrery::core
