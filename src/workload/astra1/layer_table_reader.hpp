// Reads ASTRA-sim 1.0's workload file: a stream of words in which line ends mean nothing.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// Throws InputError for what the training loops could not run. Checkpoints and initiators that are not layers
// are left out. `file` names the text in messages.
LayerTable read_layer_table(std::string_view text, const std::string& file, Warnings& warnings);

}  // namespace orrery::core
