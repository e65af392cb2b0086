#include "workload/astra1/recomputation_check.hpp"

#include <set>
#include <string>

namespace orrery::core {

void check_recomputation(const std::vector<LocatedLayer>& checkpoints,
                         const std::vector<LocatedLayer>& initiators) {
  std::set<int> starts;
  for (const LocatedLayer& checkpoint : checkpoints) starts.insert(checkpoint.index);
  for (const LocatedLayer& initiator : initiators) {
    const std::string layer = "layer " + std::to_string(initiator.index);
    if (starts.contains(initiator.index))
      throw InputError(initiator.where,
                       layer +
                           " is a checkpoint and initiates the recomputation, which would never "
                           "end: remove it from one of the two lists");
    if (starts.empty() || *starts.begin() > initiator.index)
      throw InputError(initiator.where,
                       layer +
                           " initiates a recomputation, but no checkpoint lies below it: add one "
                           "or remove the initiator");
  }
}

}  // namespace orrery::core
