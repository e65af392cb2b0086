#include "simulate/collectives/collective_policies.hpp"

#include <algorithm>

#include "base/diagnostics/unreachable.hpp"
#include "simulate/collectives/fixed_time_collectives.hpp"

namespace orrery::core {

const CollectivePolicy& collective_policy_of(const Program& program, const Machine& machine) {
  const auto found = std::ranges::find_if(
      collective_policies, [&](const CollectivePolicy* policy) { return policy->applies(program, machine); });
  if (found == collective_policies.end()) unreachable("a program issues in slots or starts what is ready");
  return **found;
}

std::unique_ptr<RecordedCollectives> make_collectives(const CollectivePolicy& policy,
                                                      const CollectiveRun& run) {
  std::unique_ptr<RecordedCollectives> service = policy.make(run);
  if (!has_fixed_time_collectives(run.program)) return service;
  return std::make_unique<FixedTimeCollectives>(run.loop, run.ranks, run.listener, std::move(service),
                                                run.program.known_times.get(), run.transport);
}

}  // namespace orrery::core
