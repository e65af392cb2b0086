// Splits texts into lines, and lines into cells. Each has its place in the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/token_reader.hpp"

namespace orrery::core {

// Returns the lines of `text`, without their ends (LF or CR LF) and without a byte order mark. They point
// into the text.
std::vector<Token> lines_of(std::string_view text);

// Returns the token without blanks and tabs around it.
Token trimmed(Token token);

// Returns the cells between the separators of a line, trimmed. There is one cell more than separators; it may
// be empty.
std::vector<Token> cells_of(const Token& line, char separator = ',');

// Returns the lines of a table of layers that are not blank, without the first one, which is a header. If the
// second cell of that line is a number, it looks like a layer, and a warning says so. Throws InputError when
// no line is left.
std::vector<Token> layer_lines_of(std::string_view text, const std::string& file, Warnings& warnings);

// Returns a cell as a whole number. Throws an InputError "`what` has to be a whole number from ... to ..." in
// `file`.
std::uint64_t whole_number(const Token& cell, const std::string& file, const std::string& what,
                           std::uint64_t least, std::uint64_t largest);

}  // namespace orrery::core
