// Writes ASTRA-sim 1.0's workload file.
#pragma once

#include <string>

#include "workload/astra1/layer_table.hpp"

namespace orrery::core {

// read_layer_table() gives the same table back, provided that its times are whole nanoseconds and its names
// hold neither white space nor commas. There is one layer per line, and words are separated by tabs.
std::string write_layer_table(const LayerTable& table);

}  // namespace orrery::core
