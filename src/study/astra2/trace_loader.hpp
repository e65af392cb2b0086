// Reads the traces of many ranks on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "workload/chakra/trace_graph.hpp"

namespace orrery {

using SharedTraceGraph = std::shared_ptr<const chakra::TraceGraph>;

// Calls `take(i, graph)` on the calling thread for every path, in their order. Equal files make one graph,
// that of the first, which is kept no longer than others may be equal to it. What is wrong with path i is
// thrown behind take(i - 1, ...), and take() may throw, too; so which error counts does not depend on the
// threads. `told` hears of each file that has been read, or of a single one of its megabytes.
void load_traces(const std::vector<std::string>& paths, int threads,
                 const std::function<void(std::size_t, const SharedTraceGraph&)>& take,
                 const StepListener& told = {});

// Reads both files from the beginning, as far as they are equal.
bool are_equal_files(const std::string& a, const std::string& b);

}  // namespace orrery
