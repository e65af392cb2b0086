// Files of other programs that Orrery cannot read, or reads only elsewhere. They are told by their content,
// so that whoever hands one in learns what it is and what to do, not that a key in it is unknown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/diagnostics.hpp"

namespace orrery {

struct ForeignFile {
  std::string_view name;  // as in "this is a plan of MSCCL++"
  bool (*recognizes)(std::string_view text);
  std::string_view remedy;      // what to do; a whole clause
  bool read_elsewhere = false;  // Orrery reads such a file, but not as a network

  std::string text() const;  // "this is ...: what to do"
};

// So much of a file tells what it is.
inline constexpr std::size_t telling_beginning = 1 << 16;

// Returns what a text is; null: nothing of these. The text's beginning decides, so this is quick for any
// size.
const ForeignFile* foreign_file_of(std::string_view text);

// Reads a file as read_text_file() does, whatever it is. That is for what is no input.
std::string read_file_of_any_kind(const std::string& path);

// Throws InputError that says what the file is, where Orrery reads no such file at all. Every file that a
// user names passes here (read_text_file).
void refuse_foreign(std::string_view text, const std::string& file);
// The same for a file of which only the name is known, such as a trace that is read as a stream.
void refuse_foreign_file(const std::string& file);

// Throws InputError that says what the file is, where a network should stand, but no description of one does.
void refuse_as_network(std::string_view text, const std::string& file);

}  // namespace orrery
