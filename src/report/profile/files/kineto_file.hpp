// Reads what the PyTorch profiler (Kineto) has recorded: JSON of Chrome's trace events, plain or compressed
// with gzip. Events are read one by one, so that memory is needed only for the activities of devices.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "report/profile/activity.hpp"
#include "workload/chakra/files/byte_source.hpp"

namespace orrery::core {

// A listener that is told from time to time how many bytes have been read.
using BytesListener = std::function<void(std::uint64_t bytes)>;

// Returns what each device in the file does; mostly there is one. Steps are those that `profiler.step()`
// marks. Where the device does not mark them, a kernel belongs to the step in which the host has launched it.
// Throws InputError with the place in the file where it is no valid JSON, where an event lacks a time, and
// where no device does anything. Events that end before they begin are left out, with a warning.
std::vector<RankActivities> read_kineto(chakra::ByteSource& bytes, const std::string& file,
                                        Warnings& warnings, const BytesListener& listener = {});

}  // namespace orrery::core
