// Interface of whatever carries out the collectives of a program, with what it knows about them afterwards.
// Where it overrides nothing, nothing is known.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/collective_backend.hpp"
#include "collective/flow/chunk_records.hpp"
#include "collective/phase/phase_traffic.hpp"

namespace orrery::core {

class RecordedCollectives : public CollectiveBackend {
 public:
  // A class issues a collective that somebody else carries out for it, and this service for other classes.
  // Chunks that start in the same instant do so by their numbers, which the first issue decides, whoever
  // makes it.
  virtual void number(ClassId /*of_class*/, std::uint32_t /*token*/, const CollectiveRequest& /*request*/) {}
  // Must be called when everything has happened. Throws AmbiguousEventOrder where a folded run was not exact.
  virtual void end() {}
  // Returns the records of the chunks of a part's recorded rank.
  virtual ChunkRecords records(std::uint32_t /*part*/) const { return {}; }
  // Returns the bytes that this rank has sent, per dimension of the topology.
  virtual std::vector<Bytes> payload(std::uint32_t /*part*/) const { return {}; }
  // Returns the number of messages that all ranks have sent. Those that the run's messenger has carried do
  // not count, because it counts them itself.
  virtual std::uint64_t messages() const { return 0; }
  // Returns how often each phase has run. The keys point into the service.
  virtual PhaseCounts phases() const { return {}; }
};

}  // namespace orrery::core
