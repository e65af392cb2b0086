// PyTorch's traces define process groups in the text of a metadata node (docs/models/execution-traces.md,
// Process groups).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.hpp"
#include "workload/chakra/trace_graph.hpp"
#include "workload/chakra/trace_rules.hpp"

namespace orrery {

// `text` is a JSON list of objects with `pg_name`, a number in quotes, and `ranks`, with two more characters
// on each side. Throws InputError when it is none.
std::vector<ProcessGroup> read_process_groups(const std::string& text);

// Returns those that a trace defines, null: none. What defines none is ignored, with a warning that names the
// trace's file.
std::shared_ptr<const ProcessGroups> process_groups_of(const chakra::TraceGraph& graph,
                                                       const std::string& file, Warnings& warnings);

}  // namespace orrery
