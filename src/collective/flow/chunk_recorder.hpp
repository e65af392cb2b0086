// Records what happens to the chunks of the parts' recorded ranks.
#pragma once

#include <vector>

#include "collective/flow/chunk_records.hpp"
#include "collective/phase/phase_engine.hpp"
#include "events/event_loop.hpp"

namespace orrery::core {

class ChunkRecorder {
 public:
  // Keeps a reference. Dimensions are counted over all communicators, as PhaseRecord says.
  ChunkRecorder(const EventLoop& loop, std::uint32_t parts, const std::vector<Communicator>& communicators)
      : loop_(loop), records_(parts) {
    std::size_t before = 0;
    for (const Communicator& communicator : communicators) {
      first_dimension_.push_back(static_cast<std::uint16_t>(before));
      before += communicator.dimensions.size();
    }
  }

  // The following three functions are called for a chunk of the part's collective `token` when it enters a
  // phase, starts it, and leaves it having received what is given.
  void enters(std::uint32_t part, std::uint32_t token, std::uint32_t communicator, std::uint32_t chunk,
              std::uint32_t phase, const PhasePlan& plan) {
    if (chunk >= present_.size()) present_.resize(chunk + 1);
    std::vector<PhaseRecord>& phases = records_[part].phases;
    present_[chunk] = {part, phases.size()};
    phases.push_back({chunk,
                      token,
                      static_cast<std::uint16_t>(phase),
                      static_cast<std::uint16_t>(first_dimension_[communicator] + plan.dimension),
                      loop_.time(),
                      {},
                      {},
                      {},
                      0});
  }
  void starts(std::uint32_t chunk) { present(chunk).started = loop_.time(); }
  const PhaseRecord& leaves(std::uint32_t chunk, const ReceiveStatistics& received) {
    PhaseRecord& record = present(chunk);
    record.left = loop_.time();
    record.latency_sum = received.latency_sum;
    record.messages = received.messages;
    return record;
  }
  void finishes(std::uint32_t part, std::uint32_t chunk) { records_[part].finished.push_back(chunk); }

  const ChunkRecords& of(std::uint32_t part) const { return records_[part]; }

 private:
  struct Present {
    std::uint32_t part = 0;
    std::size_t record = 0;
  };
  PhaseRecord& present(std::uint32_t chunk) {
    return records_[present_[chunk].part].phases[present_[chunk].record];
  }

  const EventLoop& loop_;
  std::vector<std::uint16_t> first_dimension_;  // of each communicator
  std::vector<ChunkRecords> records_;           // by part
  std::vector<Present> present_;                // where the record of a chunk's present phase is, by chunk
};

}  // namespace orrery::core
