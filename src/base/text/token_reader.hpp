// Reads a text as tokens separated by white space, each with its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

// A word of a text, with its place. It points into the text from which it was read.
struct Token {
  std::string_view text;
  int line = 0;
  int column = 0;
};

class TokenReader {
 public:
  // `text` has to outlive the reader and its tokens.
  TokenReader(std::string_view text, const std::string& file) : text_(text), file_(file) { skip_space(); }

  bool at_end() const { return position_ == text_.size(); }
  // Returns the next token and leaves it where it is; its text is empty at the end.
  Token peek() const;
  // Takes the next token. At the end of the text throws an InputError "the file ends where `expected` has to
  // stand".
  Token next(std::string_view expected);

  // Returns the place of a token. For the token that peek() returns at the end of the text, this is where the
  // text ends.
  SourceLocation where(const Token& token) const { return {file_, token.line, token.column}; }

 private:
  void skip_space();

  std::string_view text_;
  std::string file_;
  std::size_t position_ = 0;
  int line_ = 1;
  int column_ = 1;
};

// These return a whole token as a number. The signed one allows "-", neither allows "+". The result is empty
// when the token is no number or does not fit.
std::optional<std::int64_t> parse_signed(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
// Returns a finite decimal number; empty when the text is none.
std::optional<double> parse_real(std::string_view text);

// The number that C's atoi reads at the start of a text, with what is left over: "4.9" has the value 4, and
// ".9" is left over. parse_leading_integer() returns none when there are no digits or when the number does
// not fit.
struct LeadingInteger {
  std::int64_t value;
  std::string_view rest;
};
std::optional<LeadingInteger> parse_leading_integer(std::string_view text);

}  // namespace orrery::core
