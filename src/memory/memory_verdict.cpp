#include "memory/memory_verdict.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace orrery::core {
namespace {

constexpr double gib = 0x1p30;

DeviceMemory max_needed(const MemoryProfile& profile, const TrainingDemand& demand, std::uint64_t batch) {
  return memory_of_training(profile, demand, batch, DevicePlace::first);
}

double framework_part(const DeviceMemory& memory) {
  return memory.context + memory.workspace;
}

// Memory is linear in the batch.
std::uint64_t largest_batch(const MemoryProfile& profile, const TrainingDemand& demand, double usable) {
  const double fixed = max_needed(profile, demand, 0).total();
  const double sample = max_needed(profile, demand, 1).total() - fixed;
  if (fixed > usable || sample <= 0) return 0;
  return static_cast<std::uint64_t>(std::floor((usable - fixed) / sample));
}

}  // namespace

MemoryVerdict judge_memory(const MemoryProfile& profile, const TrainingDemand& demand, std::uint64_t batch,
                           Bytes capacity, std::uint64_t data_parallel) {
  MemoryVerdict verdict;
  verdict.required = max_needed(profile, demand, batch);
  verdict.before_training = memory_before_training(profile, demand, batch).total();
  verdict.on_others = memory_of_training(profile, demand, batch, DevicePlace::other).total();
  verdict.capacity = capacity;
  verdict.profile = profile.name;
  verdict.batch = batch;
  verdict.forward_only = demand.forward_only;
  if (verdict.fits()) return verdict;
  verdict.largest_batch = largest_batch(profile, demand, verdict.usable());
  for (int stage = demand.sharding.stage + 1;
       stage <= 3 && !verdict.sharding && data_parallel > 1 && !demand.forward_only; ++stage) {
    TrainingDemand sharded = demand;
    sharded.sharding = {stage, data_parallel};
    if (max_needed(profile, sharded, batch).total() <= verdict.usable()) verdict.sharding = sharded.sharding;
  }
  const double framework = framework_part(verdict.required);
  if (framework < verdict.usable())
    verdict.devices = static_cast<std::uint64_t>(
        std::ceil((verdict.required.total() - framework) / (verdict.usable() - framework)));
  return verdict;
}

std::string text_of(const MemoryVerdict& verdict) {
  const DeviceMemory& need = verdict.required;
  const std::string of = verdict.capacity == Bytes()
                             ? std::string()
                             : fmt::format(" of {:.1f}", verdict.capacity.as_double() / gib);
  return fmt::format(
      "{:.2f}{} GiB per device: {:.2f} weights, {:.2f} gradients, {:.2f} optimizer, {:.2f} activations, "
      "{:.2f} workspace ({})",
      need.total() / gib, of, need.parameters.weights / gib, need.parameters.gradients / gib,
      (need.parameters.optimizer + need.store) / gib, need.activations / gib, framework_part(need) / gib,
      verdict.profile);
}

std::string message_of(const MemoryVerdict& verdict) {
  const DeviceMemory& need = verdict.required;
  std::string text = fmt::format(
      "{} needs {:.1f} GiB per device at a batch of {} ({:.1f} parameters{}, {:.1f} "
      "activations, {:.1f} framework), but {:.1f} GiB can be used; ",
      verdict.forward_only ? "inference" : "training", need.total() / gib, verdict.batch,
      (need.parameters.total() + need.store) / gib, verdict.forward_only ? "" : " and optimizer",
      need.activations / gib, framework_part(need) / gib, verdict.usable() / gib);
  std::vector<std::string> ways;
  if (verdict.largest_batch > 0)
    ways.push_back(fmt::format("a batch of {} per device", verdict.largest_batch));
  if (verdict.sharding)
    ways.push_back(
        fmt::format("sharding of stage {} over {} ranks", verdict.sharding->stage, verdict.sharding->ranks));
  if (verdict.devices > 0) ways.push_back(fmt::format("{} devices in place of one", verdict.devices));
  if (ways.empty()) return text + "the framework's part alone does not fit, choose a larger device";
  for (std::size_t i = 0; i < ways.size(); ++i)
    text += (i == 0 ? "" : i + 1 < ways.size() ? ", " : " or ") + ways[i];
  return text + " would fit";
}

void require_memory(const MemoryVerdict& verdict, bool allow, Warnings& warnings) {
  if (verdict.fits()) return;
  if (!allow) throw InputError(verdict.where, message_of(verdict) + "; --allow-oom goes on nevertheless");
  warnings.add(verdict.where, message_of(verdict));
}

}  // namespace orrery::core
