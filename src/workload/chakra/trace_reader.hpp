// Reads Chakra execution traces (`.et`), plain or compressed with gzip (docs/models/execution-traces.md,
// Files).
#pragma once

#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "workload/chakra/trace.hpp"

namespace orrery::chakra {

class RecordReader;

// All throw InputError that names `file`, the byte and the record: where the file is cut off or damaged,
// where a node or collective is of no known type, and where an attribute is of another kind than its meaning
// needs. Of what does not have to do with single nodes, such as missing parents, they know nothing:
// make_graph() does. What the trace takes in memory is bounded by the length of the (decompressed) bytes.
Trace read_trace(std::string_view bytes, const std::string& file);
Trace read_trace(RecordReader& records);

// Reads block by block: needs little more memory than the trace. `told` hears of every megabyte.
Trace read_trace_file(const std::string& path, const StepListener& told = {});

}  // namespace orrery::chakra
