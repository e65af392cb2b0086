// Runs the collectives of a program as a library such as NCCL carries them out: by a closed form, without
// messages (docs/models/library-collectives.md).
#pragma once

#include <map>
#include <tuple>

#include "collective/library/collective_library.hpp"
#include "collective/timed_collectives.hpp"

namespace orrery::core {

class LibraryCollectives final : public TimedCollectives {
 public:
  // Keeps references, as TimedCollectives does. Issuing throws InputError for groups that the library's
  // machine cannot have.
  LibraryCollectives(EventLoop& loop, const CollectiveLibrary& library, const CollectiveRanks& ranks,
                     CollectiveListener& listener)
      : TimedCollectives(loop, ranks, listener), library_(library) {}

 private:
  Time duration_of(const CollectiveRequest& request) override;

  const CollectiveLibrary& library_;
  std::map<std::tuple<CollectiveKind, Bytes, std::uint32_t, unsigned long, double>, Time> durations_;
};

}  // namespace orrery::core
