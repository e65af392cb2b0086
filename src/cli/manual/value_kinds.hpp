// Says what may stand behind a flag, or in the place of a positional argument, for manual pages and
// completions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::core {

enum class ValueKind {
  nothing,       // a flag without a value
  number,        //
  text,          // of a form of its own, such as KEY=VALUE or "64 MiB"
  file,          // also a file that is to be written
  folder,        //
  word,          // one of a few words
  words,         // some of a few words, with commas between them
  name_or_file,  // one of the names that the program comes with, or a file of the user's own
};

struct ValueChoice {
  ValueKind kind = ValueKind::nothing;
  std::vector<std::string_view> words = {};  // the words or names; none for the other kinds
};

// Returns what may be given to the flag of this name, dashes included, or to the positional argument of this
// name. Empty for names that the table lacks.
std::optional<ValueChoice> listed_choice(std::string_view name);

// Returns every name that the table has.
std::vector<std::string> listed_choice_names();

// Returns the word in capitals that stands for a value: "FILE".
std::string_view placeholder_of(ValueKind kind);

}  // namespace orrery::core
