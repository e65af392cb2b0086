// Makes texts from users and files safe for a terminal and for tables.
#pragma once

#include <string>
#include <string_view>

namespace orrery::core {

// Returns the text with every control character written as an escape such as `\n` or `\x1b`. Otherwise a
// terminal would obey it, and a name could pretend to be another line. Other bytes stay as they are, even
// those that are no UTF-8.
std::string printable(std::string_view text);

// Does the same, and escapes bytes that are no UTF-8, too, for files whose readers want UTF-8.
std::string printable_utf8(std::string_view text);

// Does the same as printable() for a text of several lines, and keeps its line ends.
std::string printable_lines(std::string_view text);

// Does the same for JSON text, which remains valid JSON. Control characters below a blank are escaped in it
// already.
std::string printable_json(std::string_view json);

// Returns whether printable() leaves the text unchanged.
bool is_printable(std::string_view text);

}  // namespace orrery::core
