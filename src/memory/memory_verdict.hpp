// Whether training fits a device, and what would.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "memory/device_memory.hpp"

namespace orrery {

// Of a device's memory; the rest is lost to the allocator's gaps and to the buffers of communication.
inline constexpr double usable_share = 0.92;

struct MemoryVerdict {
  DeviceMemory required;  // of the device that needs most
  double usable = 0;      // bytes
  bool fits = false;
  std::uint64_t batch = 0;
  std::uint64_t largest_batch = 0;        // per device, with everything else as it is; 0: none
  std::optional<Sharding> sharding = {};  // the lowest stage that would fit with this batch
};

// `data_parallel` ranks could share the parameters' state.
MemoryVerdict judge_memory(const MemoryProfile& profile, const TrainingDemand& demand, std::uint64_t batch,
                           Bytes capacity, int data_parallel);

// "needs 19.9 GiB per device at a batch of 128, but ...; what would fit". For those that do not fit.
std::string message_of(const MemoryVerdict& verdict);

}  // namespace orrery
