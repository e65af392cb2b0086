// Files of other programs that Orrery cannot read, or reads only elsewhere. They are told by their content,
// so that whoever hands one in learns what it is and what to do, not that a key in it is unknown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

// As what Orrery reads a file of another program, at the one place where it does.
enum class ReadAs : std::uint8_t { nothing, ns3_config, logical_dimensions, algorithm, profile, anything };

struct ForeignFile {
  std::string_view name;  // as in "this is a plan of MSCCL++"
  bool (*recognizes)(std::string_view text);
  std::string_view remedy;  // what to do; a whole clause
  ReadAs read_as = ReadAs::nothing;

  std::string text() const;  // "this is ...: what to do"
};

// So much of a file tells what it is.
inline constexpr std::size_t telling_beginning = 1 << 16;

// Returns what a text is, or what is compressed in it; null: nothing of these. The text's beginning decides,
// so this is quick for any size.
const ForeignFile* foreign_file_of(std::string_view text);

// Throws InputError that says what the file is, unless it is what the caller reads. Every file that a user
// names passes here (InputLog).
void refuse_foreign(std::string_view text, const std::string& file, ReadAs expected = ReadAs::nothing);
// The same for a file of which only the name is known, such as a trace that is read as a stream.
void refuse_foreign_file(const std::string& file);

}  // namespace orrery::core
