#include "collective/library/library_collectives.hpp"

#include "collective/library/library_time.hpp"

namespace orrery::core {

Time LibraryCollectives::duration_of(const CollectiveRequest& request) {
  const auto [found, is_new] = durations_.try_emplace(
      {request.kind, request.size, request.communicator, request.dimensions.to_ulong(), request.efficiency},
      Time());
  if (is_new)
    found->second =
        time_of(library_, request,
                placement_of(communicator_of(request), library_.links().gpus_per_node, request.dimensions));
  return found->second;
}

}  // namespace orrery::core
