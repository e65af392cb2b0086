// Reads a workload from a file. It is a layer table, or a program that was written as a trace, which its
// content tells.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "study/run/workload.hpp"

namespace orrery::core {

// Throws InputError.
std::shared_ptr<const Workload> read_workload_file(std::string_view bytes, const std::string& file,
                                                   Warnings& warnings);

}  // namespace orrery::core
