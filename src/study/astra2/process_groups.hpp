// Reads the process groups that PyTorch's traces define in the text of a metadata node
// (docs/models/execution-traces.md, Process groups).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/chakra/dependencies/trace_rules.hpp"
#include "workload/chakra/program/trace_graph.hpp"

namespace orrery::core {

// `text` is a JSON list of objects with `pg_name`, a number in quotes, and `ranks`, with two more characters
// on each side. Throws InputError when it is no such list.
std::vector<ProcessGroup> read_process_groups(const std::string& text);

// Returns the groups that a trace defines. Null: it defines none. A text that defines none is ignored, with a
// warning that names the trace's file.
std::shared_ptr<const ProcessGroups> process_groups_of(const chakra::TraceGraph& graph,
                                                       const std::string& file, Warnings& warnings);

}  // namespace orrery::core
