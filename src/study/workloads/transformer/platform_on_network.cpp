#include "study/workloads/transformer/platform_on_network.hpp"

#include <fmt/format.h>

#include <string_view>

namespace orrery::core {

namespace {

void refuse(const InputNode& map, std::string_view key, std::string_view why) {
  if (const InputNode* value = map.find(key))
    throw InputError(value->where,
                     fmt::format("`{}` means nothing beside a `network`: {}; leave it out", key, why));
}

}  // namespace

void require_ranks(const TrainingSetup& setup, const Topology& topology, const SourceLocation& where) {
  if (setup.gpus() != static_cast<std::uint64_t>(topology.npus()))
    throw InputError(where,
                     fmt::format("the network has {} NPUs, but the workload's `parallelism` is for {}; "
                                 "make them equal",
                                 topology.npus(), setup.gpus()));
}

void check_platform_on_network(const InputNode& platform, bool has_library, Warnings& warnings) {
  for (const auto key : {"inside", "between", "gpus-per-node", "nics-per-node"})
    refuse(platform, key, "the network says what links there are");
  refuse(platform, "buffers", "the system says where buffers are, beside its `library`");
  if (const InputNode* own = platform.find("library"))
    warnings.add(own->where,
                 "`library` changes nothing beside a `network`: collectives are messages of the system's "
                 "algorithms, unless `system.library` names a library; leave it out");
  const InputNode* stack = platform.find("stack");
  if (!stack || has_library) return;
  for (const auto key : {"exchange-efficiency", "sharding-efficiency"})
    refuse(*stack, key, "it is a share of a library's speed, and collectives are messages of algorithms");
}

}  // namespace orrery::core
