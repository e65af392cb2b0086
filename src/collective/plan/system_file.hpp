// Reads ASTRA-sim 1.0's system file: pairs of `key:` and value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/dialect.hpp"
#include "base/input/keys.hpp"
#include "collective/plan/system_config.hpp"

namespace orrery::core {

// `injection_scale` multiplies the file's endpoint delay, but not the default one. Throws InputError.
SystemConfig read_system_file(std::string_view text, const std::string& file, double injection_scale,
                              const Dialect& dialect, Warnings& warnings);

// Returns every key that is understood, without its colon.
std::vector<KeyPath> system_file_keys();

}  // namespace orrery::core
