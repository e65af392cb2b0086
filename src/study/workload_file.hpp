// A workload from a file: a layer table, or a program that was written as a trace. By content.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostics.hpp"
#include "memory/memory_verdict.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/chakra/graph_trace.hpp"

namespace orrery {

struct Workload {  // one of the first two
  std::shared_ptr<const LayerTable> table;
  std::shared_ptr<const chakra::RecordedGraph> recorded;
  std::shared_ptr<const MemoryVerdict> memory = {};  // of a model on a device; else null
};

// Throws InputError.
Workload read_workload_file(std::string_view bytes, const std::string& file, Warnings& warnings);

}  // namespace orrery
