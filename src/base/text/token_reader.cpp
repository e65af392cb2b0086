#include "base/text/token_reader.hpp"

#include <charconv>
#include <cmath>

namespace orrery::core {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Token TokenReader::peek() const {
  std::size_t end = position_;
  while (end < text_.size() && !is_space(text_[end])) ++end;
  return {text_.substr(position_, end - position_), line_, column_};
}

Token TokenReader::next(std::string_view expected) {
  const Token token = peek();
  if (token.text.empty())
    throw InputError(where(token), "the file ends where " + std::string(expected) + " has to stand");
  position_ += token.text.size();
  column_ += static_cast<int>(token.text.size());
  skip_space();
  return token;
}

void TokenReader::skip_space() {
  for (; position_ < text_.size() && is_space(text_[position_]); ++position_) {
    if (text_[position_] == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
  }
}

std::optional<std::int64_t> parse_signed(std::string_view text) {
  return parse_whole<std::int64_t>(text);
}
std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_whole<std::uint64_t>(text);
}

std::optional<double> parse_real(std::string_view text) {
  const std::optional<double> value = parse_whole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<LeadingInteger> parse_leading_integer(std::string_view text) {
  LeadingInteger result{};
  const char* const first = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, result.value);
  if (error != std::errc() || (first != text.data() && *first == '-')) return std::nullopt;
  result.rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return result;
}

}  // namespace orrery::core
