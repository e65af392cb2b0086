// Reads collective algorithms that users bring along as traces (docs/models/streams.md, Custom algorithms).
#pragma once

#include "base/files/file_loader.hpp"
#include "simulate/machine.hpp"
#include "study/astra2/system_json.hpp"

namespace orrery::core {

// Gives the machine, whose topology is known, the algorithms that its system file names, and notes in the
// rules which collectives use them. Throws InputError.
void read_custom_algorithms(const SystemFileNames& names, const FileLoader& load, Machine& machine,
                            TraceRules& rules);

// Has the loader's log remember the files that read_custom_algorithms() will read, as far as they are there.
// Throws InputError where the file of algorithms by node is no YAML.
void note_custom_algorithms(const SystemFileNames& names, const FileLoader& load);

}  // namespace orrery::core
