// Finds the values that say how good the machine of a run is: those of its network, devices, hosts and
// software.
//
// They are found by the declarations of their keys and by their units, whatever the run trains and wherever
// they are written: in the run, at the top of the experiment, in a piece that has a name, or in a file that
// comes with the program.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/input/keys.hpp"
#include "program/program.hpp"
#include "study/run/run_spec.hpp"

namespace orrery::core {

struct MachineParameter {
  std::string key;                 // the path that --set takes; "*" stands for several elements of a list
  std::vector<std::string> paths;  // several where links of a graph have equal values, otherwise `key` alone
  std::string value;               // as it is written, or the default
  const KeyFacts* facts;
  bool is_written;
  std::string before = {}, after = {};  // the text around the value at the path, where it is one of a list

  std::string text_of(const std::string& one) const { return before + one + after; }
};

using UsedCollectives = std::set<CollectiveKind>;
// Returns the kinds of collectives that a program asks for.
UsedCollectives collectives_of(const Program& program);

// Replaces the name of a network file in Orrery's own form by the description in it, so that its values have
// paths. `run` is the name of one of the document's runs.
void write_out_network(InputNode& document, const std::string& run, const std::filesystem::path& folder,
                       const FileLoader& load);

// Returns the parameters of one run of a document, `spec`, in the order of the experiment's keys. It leaves
// out those that change nothing in such a run: packets where it has none, and algorithms of collectives that
// it does not use. Throws InputError.
std::vector<MachineParameter> machine_parameters(const InputNode& document, const RunSpec& spec,
                                                 const UsedCollectives& used,
                                                 const std::filesystem::path& folder, const FileLoader& load);

}  // namespace orrery::core
