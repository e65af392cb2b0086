// Judges whether training fits a device, and what would fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/bytes.hpp"
#include "memory/device_memory.hpp"

namespace orrery::core {

// The share of a device's memory that training can use. The rest is lost to the allocator's gaps and to the
// buffers of communication.
inline constexpr double usable_share = 0.92;

struct MemoryVerdict {
  DeviceMemory required;  // need of the device that needs most
  // Bytes of a device before training begins, and of those besides the first; none for pipelines.
  std::optional<double> before_training, on_others;
  Bytes capacity;             // memory of a device; 0: not known, so that everything fits
  std::string profile;        // memory profile that gives the framework's part
  SourceLocation where;       // where the user asks for this training
  bool forward_only = false;  // it is inference
  std::uint64_t batch = 0;
  std::uint64_t largest_batch = 0;        // largest batch per device, with everything else as it is; 0: none
  std::optional<Sharding> sharding = {};  // the lowest stage that would fit with this batch
  std::uint64_t devices = 0;  // that would hold what one has to, were all but the framework's part divided
                              // evenly; 0: none

  double usable() const { return usable_share * capacity.as_double(); }
  bool fits() const { return capacity == Bytes() || required.total() <= usable(); }
};

// `data_parallel` ranks could share the parameters' state.
MemoryVerdict judge_memory(const MemoryProfile& profile, const TrainingDemand& demand, std::uint64_t batch,
                           Bytes capacity, std::uint64_t data_parallel);

// Returns "3.1 of 29.8 GiB per device: 0.1 weights, ...", with every part, for people.
std::string text_of(const MemoryVerdict& verdict);

// Returns "needs 19.9 GiB per device at a batch of 128, but ...; what would fit". This is for training that
// does not fit.
std::string message_of(const MemoryVerdict& verdict);

// Throws InputError with that message, or warns of it when the user allows it.
void require_memory(const MemoryVerdict& verdict, bool allow, Warnings& warnings);

}  // namespace orrery::core
