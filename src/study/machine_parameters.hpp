// Finds the values that say how good the machine of a run is: of its network, devices, hosts and software.
//
// They are found by what their keys are declared as and by their units, whatever the run trains and wherever
// they are written: in the run, at the top of the experiment, in a piece that has a name, or in a file that
// comes with the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "base/keys.hpp"
#include "study/run_spec.hpp"

namespace orrery {

struct MachineParameter {
  std::string key;                 // the path that --set takes; "*" stands for several elements of a list
  std::vector<std::string> paths;  // several where links of a graph have equal values, else `key` alone
  std::string value;               // as it is written, or the default
  const KeyFacts* facts;           // null: the network is a graph, and units say all
  bool is_written;
};

// Puts the description of the run's network in place of the name of a file that holds one in Orrery's own
// form, so that its values have paths. `run` is the name of one of the document's runs.
void write_out_network(InputNode& document, const std::string& run, const std::filesystem::path& folder,
                       const FileLoader& load = read_text_file);

// Returns the parameters of one run of a document, `spec`, in the order of the experiment's keys. Throws
// InputError.
std::vector<MachineParameter> machine_parameters(const InputNode& document, const RunSpec& spec,
                                                 const std::filesystem::path& folder,
                                                 const FileLoader& load = read_text_file);

}  // namespace orrery
