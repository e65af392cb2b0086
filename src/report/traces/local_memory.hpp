// Tells which tensors a rank keeps in its local memory, and when, by queries over the recording of a run of
// traces (docs/models/execution-traces.md, Local memory).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "simulate/recording.hpp"
#include "workload/chakra/program/trace_program.hpp"

namespace orrery::core {

// All functions need traces whose local memory is tracked.

// Returns how many bytes all living tensors take, from each time on at which that changes.
std::map<Time, std::uint64_t> local_memory_use(const TraceView& traces, const Recording& recording,
                                               RankId rank);

// Returns the most bytes of all tensors that live at one time.
std::uint64_t peak_local_memory(const TraceView& traces, const Recording& recording, RankId rank);

// Returns the size with two decimals, in B, KB, MB, GB or TB, each 1024 of the one before.
std::string memory_words(std::uint64_t bytes);

// Returns events for a trace viewer, as ASTRA-sim 2 writes them. Tensors are in the order of their first use,
// while ASTRA-sim 2 has them in any order.
std::string local_memory_json(const TraceView& traces, const Recording& recording, RankId rank);

// Returns a message for each write of a tensor that was written before. Such a write is left out, because the
// first one begins the tensor's life.
std::vector<std::string> repeated_writes(const TraceView& traces, const Recording& recording, RankId rank);

}  // namespace orrery::core
