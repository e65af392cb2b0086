// Reads Chakra execution traces (`.et`), plain or compressed with gzip (docs/models/execution-traces.md,
// Files).
#pragma once

#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "workload/chakra/files/trace.hpp"

namespace orrery::core::chakra {

class RecordReader;

// What of a trace is read. ASTRA-sim 2 looks at the lists of tensors (`inputs` and `outputs`) only where
// local memory is tracked, and so do we: converters write what they like there.
struct TraceParts {
  bool tensors = true;
};

// The following functions throw InputError that names `file`, the byte and the record: where the file is cut
// off or damaged, where a node or collective is of no known type, and where an attribute is of another kind
// than its meaning needs. They do not find errors beyond single nodes, such as missing parents, which
// make_graph() finds. The memory that the trace takes is bounded by the length of the (decompressed) bytes.
Trace read_trace(std::string_view bytes, const std::string& file, TraceParts parts = {});
Trace read_trace(RecordReader& records, TraceParts parts = {});

// Reads block by block, and needs little more memory than the trace. `told` is called for every megabyte.
Trace read_trace_file(const std::string& path, TraceParts parts = {}, const StepListener& told = {});

// Returns Trace::program, without reading the nodes.
std::vector<std::string> program_words_of_file(const std::string& path);

}  // namespace orrery::core::chakra
