// Reads SCALE-Sim's configuration file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/input/keys.hpp"
#include "compute/systolic/scale_sim_topology.hpp"
#include "compute/systolic/systolic_array.hpp"

namespace orrery::core {

// The format is INI: sections, `key = value` or `key: value`, comments behind # or ;. Keys of versions 1 and
// 2 are known, in any case of letters. Array sizes, buffers and the dataflow are required; keys that say
// nothing about the array are ignored. Under `InterfaceBandwidth: USER`, `Bandwidth` becomes the array's
// bandwidth, with a warning that stalls differ from SCALE-Sim's. Throws InputError. `file` is the name of the
// text in messages.
SystolicArray read_scale_sim_config(std::string_view text, const std::string& file, Warnings& warnings);

// What the section `sparsity` of version 3 says.
struct ScaleSimSparsity {
  bool support = false;    // rows of weights that are zero are left out
  bool optimized = false;  // rows differ, so that the topology's ratios do not count
  std::uint64_t block = 4;
  SourceLocation where;  // of the support
};
// Reads that section alone. Throws InputError, also where the array has another dataflow than `ws`, of which
// alone SCALE-Sim leaves rows out.
ScaleSimSparsity read_scale_sim_sparsity(std::string_view text, const std::string& file);

// Leaves out rows of a layer's weights. Warns where the layer has a sparsity that does not count.
void leave_out_zeros(TopologyLayer& layer, const ScaleSimSparsity& sparsity, Warnings& warnings);

// Returns every known key, spelt as in SCALE-Sim 2.
std::vector<KeyPath> scale_sim_config_keys();

}  // namespace orrery::core
