// Reads SCALE-Sim's configuration file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/keys.hpp"
#include "compute/systolic/systolic_array.hpp"

namespace orrery {

// INI: sections, `key = value` or `key: value`, comments behind # or ;. Keys of versions 1 and 2, whatever
// their case. Array sizes, buffers and the dataflow are required; what says nothing about the array is
// ignored. Under `InterfaceBandwidth: USER`, `Bandwidth` becomes the array's bandwidth, with a warning that
// stalls differ from SCALE-Sim's. Throws InputError. `file` names the text in messages.
SystolicArray read_scale_sim_config(std::string_view text, const std::string& file, Warnings& warnings);

// Every key that is known, spelt as SCALE-Sim 2 does.
std::vector<KeyPath> scale_sim_config_keys();

}  // namespace orrery
