// Interface of whatever carries out the collectives of a program, with what it knows about them afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/collective_issuer.hpp"
#include "collective/flow/chunk_records.hpp"
#include "collective/phase/phase_traffic.hpp"

namespace orrery {

class CollectiveService : public CollectiveIssuer {
 public:
  // A class issues a collective that somebody else carries out for it, and this service for other classes.
  // Chunks that start in the same instant do so by their numbers, which the first issue decides, whoever
  // makes it.
  virtual void number(ClassId /*of_class*/, std::uint32_t /*token*/, const CollectiveRequest& /*request*/) {}
  // Must be called when everything has happened. Throws OrderMatters where a folded run was not exact.
  virtual void end() {}
  // Returns the records of the chunks of a part's recorded rank.
  virtual const ChunkRecords& records(std::uint32_t part) const = 0;
  // Returns the bytes that this rank has sent, per dimension of the topology.
  virtual const std::vector<Bytes>& payload(std::uint32_t part) const = 0;
  // Returns the number of messages that all ranks have sent.
  virtual std::uint64_t messages() const = 0;
  // Returns how often each phase has run. The keys point into the service.
  virtual PhaseCounts phases() const = 0;
};

}  // namespace orrery
