// Writes a text as a cell of a CSV file.
#pragma once

#include <string>
#include <string_view>

namespace orrery::core {

// Returns whether a spreadsheet would take the cell for a formula.
bool is_formula(std::string_view text);

// Returns the cell. Control characters are escaped, so that every line of the file is a row. A formula gets
// an apostrophe in front, which makes it text. Texts that hold commas or quotes are quoted (RFC 4180).
std::string csv_cell(std::string_view text);

// Appends such a cell.
void append_csv_cell(std::string& line, std::string_view text);

}  // namespace orrery::core
