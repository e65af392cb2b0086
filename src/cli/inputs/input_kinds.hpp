// The kinds of files that users give to Orrery, and what tells them apart. A new kind is a line in the table
// of input_kinds.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_loader.hpp"
#include "cli/flags/network_model_flag.hpp"

namespace orrery::core {

// The changes that a command line makes to the experiments that it names.
struct ExperimentChanges {
  std::vector<std::string> overrides;  // of --set
  NetworkModelFlag network_model;      // of all runs, whatever the experiment says
  bool allow_out_of_memory = false;
};

// A file that is to be checked.
struct InputCheck {
  std::string_view text;
  const std::string& file;
  const ExperimentChanges& changes;
  Warnings& warnings;
  const FileLoader& load;            // loads the files that it names
  std::vector<std::string>& errors;  // gets a line for each run of an experiment that cannot be
};

struct InputKind {
  std::string_view name;  // as in "this is a layer table"
  // Returns how much a text looks like a file of this kind: certain_likeness, or how many of its keys the
  // kind knows.
  std::size_t (*likeness)(std::string_view text);
  // Reads the whole file and returns what it is, in words; empty where the name says that. Throws InputError
  // where it is not well made. Null: the file can be read only together with the run that it belongs to.
  std::string (*check)(const InputCheck& input);
  // The key, or the flag of another command, that takes such a file; empty: `flag` does.
  std::string_view taken_by = {};
  // The flag of `orrery run` that takes it.
  std::string_view flag = {};
  // The command that shows what is in it, and what it says; empty: none does.
  std::string_view shown_by = {}, shown = {};
  bool takes_changes = false;  // experiments do
};

inline constexpr std::string_view transformer_file_name = "a transformer file";

inline constexpr std::size_t certain_likeness = static_cast<std::size_t>(-1);

// Returns the first word, without the blanks around it; empty: there is none.
std::string_view first_word(std::string_view text);

// Returns the kind that the text looks most like; an experiment where it looks like nothing.
const InputKind& kind_of_input(std::string_view text);

}  // namespace orrery::core
