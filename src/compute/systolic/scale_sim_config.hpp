// Reads SCALE-Sim's configuration file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/keys.hpp"
#include "compute/systolic/systolic_array.hpp"

namespace orrery {

// The format is INI: sections, `key = value` or `key: value`, comments behind # or ;. Keys of versions 1 and
// 2 are known, in any case of letters. Array sizes, buffers and the dataflow are required; keys that say
// nothing about the array are ignored. Under `InterfaceBandwidth: USER`, `Bandwidth` becomes the array's
// bandwidth, with a warning that stalls differ from SCALE-Sim's. Throws InputError. `file` is the name of the
// text in messages.
SystolicArray read_scale_sim_config(std::string_view text, const std::string& file, Warnings& warnings);

// Returns every known key, spelt as in SCALE-Sim 2.
std::vector<KeyPath> scale_sim_config_keys();

}  // namespace orrery
