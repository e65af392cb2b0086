// Bytes are refused with an InputError, or read, and then written and read again without a change; whether
// what was read can run or not, it can be checked.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/diagnostics.hpp"
#include "workload/chakra/graph_trace.hpp"
#include "workload/chakra/trace_check.hpp"
#include "workload/chakra/trace_graph.hpp"
#include "workload/chakra/trace_reader.hpp"
#include "workload/chakra/trace_writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery;
  chakra::Trace trace;
  try {
    trace = chakra::read_trace({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const InputError&) {
    return 0;
  }
  if (chakra::read_trace(chakra::write_trace(trace), "written") != trace) std::abort();
  try {
    chakra::recorded_graph(trace, "input");
  } catch (const InputError&) {
  }
  chakra::MessageCheck messages;
  messages.add(0, trace.nodes);
  const bool can_run = chakra::check_trace(trace).can_run() && !trace.nodes.empty();
  try {
    chakra::make_graph(trace, "input");
    if (!can_run) std::abort();
  } catch (const InputError&) {
    if (can_run) std::abort();
  }
  return 0;
}
