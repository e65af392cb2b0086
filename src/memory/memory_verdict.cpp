#include "memory/memory_verdict.hpp"

#include <cmath>

#include <fmt/format.h>

namespace orrery {
namespace {

constexpr double gib = 0x1p30;

DeviceMemory most_needed(const MemoryProfile& profile, const TrainingDemand& demand, std::uint64_t batch) {
  return memory_of_training(profile, demand, batch, DevicePlace::first);
}

// Memory is linear in the batch.
std::uint64_t largest_batch(const MemoryProfile& profile, const TrainingDemand& demand, double usable) {
  const double fixed = most_needed(profile, demand, 0).total();
  const double sample = most_needed(profile, demand, 1).total() - fixed;
  if (fixed > usable || sample <= 0) return 0;
  return static_cast<std::uint64_t>(std::floor((usable - fixed) / sample));
}

}  // namespace

MemoryVerdict judge_memory(const MemoryProfile& profile, const TrainingDemand& demand, std::uint64_t batch,
                           Bytes capacity, int data_parallel) {
  MemoryVerdict verdict;
  verdict.required = most_needed(profile, demand, batch);
  verdict.usable = usable_share * capacity.as_double();
  verdict.fits = verdict.required.total() <= verdict.usable;
  verdict.batch = batch;
  verdict.largest_batch = largest_batch(profile, demand, verdict.usable);
  for (int stage = demand.sharding.stage + 1; stage <= 3 && !verdict.sharding && data_parallel > 1; ++stage) {
    TrainingDemand sharded = demand;
    sharded.sharding = {stage, data_parallel};
    if (most_needed(profile, sharded, batch).total() <= verdict.usable) verdict.sharding = sharded.sharding;
  }
  return verdict;
}

std::string message_of(const MemoryVerdict& verdict) {
  const DeviceMemory& need = verdict.required;
  std::string text = fmt::format(
      "training needs {:.1f} GiB per device at a batch of {} ({:.1f} parameters and optimizer, {:.1f} "
      "activations, "
      "{:.1f} framework), but {:.1f} GiB can be used; ",
      need.total() / gib, verdict.batch, (need.parameters.total() + need.store) / gib, need.activations / gib,
      (need.context + need.workspace) / gib, verdict.usable / gib);
  const std::string batch = verdict.largest_batch > 0
                                ? fmt::format("a batch of {} per device", verdict.largest_batch)
                                : std::string();
  const std::string sharding = verdict.sharding
                                   ? fmt::format("sharding of stage {} over {} ranks",
                                                 verdict.sharding->stage, verdict.sharding->ranks)
                                   : std::string();
  if (batch.empty() && sharding.empty())
    return text + "neither a smaller batch nor sharding fits; spread the layers over more devices";
  return text + batch + (batch.empty() || sharding.empty() ? "" : " or ") + sharding + " would fit";
}

}  // namespace orrery
