// Reads a text as tokens separated by white space, each with its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics.hpp"

namespace orrery {

// Points into the text it was read from.
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
  // The next token, left where it is. Empty text at the end.
  Token peek() const;
  // The next token. At the end throws an InputError "the file ends where `expected` has to stand".
  Token next(std::string_view expected);

  // Where a token stands; where the text ends for the one that peek() returns there.
  SourceLocation where(const Token& token) const { return {file_, token.line, token.column}; }

 private:
  void skip_space();

  std::string_view text_;
  std::string file_;
  std::size_t position_ = 0;
  int line_ = 1;
  int column_ = 1;
};

// A whole token as a number, without sign or with "-" only. Empty when it is none or does not fit.
std::optional<std::int64_t> parse_signed(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
// Finite decimal numbers only.
std::optional<double> parse_real(std::string_view text);

// What C's atoi makes of "4.9": 4, and ".9" is left over. Empty without digits or when it does not fit.
struct LeadingInteger {
  std::int64_t value;
  std::string_view rest;
};
std::optional<LeadingInteger> parse_leading_integer(std::string_view text);

}  // namespace orrery
