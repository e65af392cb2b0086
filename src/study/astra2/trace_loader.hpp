// Reads the traces of many ranks on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "workload/chakra/dependencies/trace_rules.hpp"
#include "workload/chakra/files/trace_reader.hpp"
#include "workload/chakra/program/trace_graph.hpp"

namespace orrery::core {

using SharedTraceGraph = std::shared_ptr<const chakra::TraceGraph>;

// What is read of traces, and what is made of it.
struct TraceReading {
  chakra::TraceParts parts;
  TraceOrder order = TraceOrder::dependencies;
};
TraceReading reading_for(const TraceRules& rules);

// Calls `take(i, graph)` on the calling thread for every path, in the order of the paths. Equal files make
// one graph, that of the first file. The graph is kept only as long as other files may be equal to it. An
// error in path i is thrown after take(i - 1, ...), and take() may throw, too. So the threads do not decide
// which error is thrown. `told` is called for each file that has been read, or for each megabyte of a single
// one.
void load_traces(const std::vector<std::string>& paths, int threads,
                 const std::function<void(std::size_t, const SharedTraceGraph&)>& take,
                 const StepListener& told = {}, const TraceReading& reading = {});

// Reads both files from the beginning, as long as they are equal.
bool are_equal_files(const std::string& a, const std::string& b);

}  // namespace orrery::core
