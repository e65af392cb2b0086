// Flags of the options that networks may have.
#pragma once

#include <string>

#include "base/files/file_loader.hpp"
#include "network/network_options.hpp"

namespace orrery::core {

// Returns the flag that gives an option of this kind.
std::string flag_of(const NetworkOptionKind& kind);

// Reads what the flag of a kind says. Throws InputError.
SharedOption read_option_of_flag(const NetworkOptionKind& kind, const std::string& value,
                                 const FileLoader& load);

}  // namespace orrery::core
