// Bytes are refused with an InputError, or read, and then written and read again without a change; whether
// what was read can run or not, it can be checked. Read in small blocks, they give the same.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/chakra/check/trace_check.hpp"
#include "workload/chakra/conversion/graph_trace.hpp"
#include "workload/chakra/files/record_reader.hpp"
#include "workload/chakra/files/trace_reader.hpp"
#include "workload/chakra/files/trace_writer.hpp"
#include "workload/chakra/program/trace_graph.hpp"

namespace {

using namespace orrery::core;

// The error, or "" when `trace` was read.
std::string read_in_blocks(std::string_view bytes, std::size_t block, chakra::Trace& trace) {
  try {
    chakra::RecordReader records(std::make_unique<chakra::MemorySource>(bytes), bytes.size(), "input", block);
    trace = chakra::read_trace(records);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  chakra::Trace trace, same;
  const std::string error = read_in_blocks(bytes, chakra::RecordReader::usual_block, trace);
  const std::size_t small = 1 + size % 13;
  if (read_in_blocks(bytes, small, same) != error || same != trace) std::abort();
  if (!error.empty()) return 0;
  chakra::Trace whole = trace;
  whole.rounded_sizes = 0;  // what is written has whole sizes
  if (chakra::read_trace(chakra::write_trace(trace), "written") != whole) std::abort();
  try {
    chakra::recorded_graph(trace, "input");
  } catch (const InputError&) {
  }
  chakra::MessageCheck messages;
  messages.add(RankId(0), trace.nodes);
  const bool can_run = chakra::check_trace(trace).can_run() && !trace.nodes.empty();
  try {
    chakra::make_graph(trace, "input");
    if (!can_run) std::abort();
  } catch (const InputError&) {
    if (can_run) std::abort();
  }
  return 0;
}
