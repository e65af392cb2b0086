// Carries out the collectives whose time a program says, for all ranks or for some, and leaves the others to
// another service.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/timed_collectives.hpp"
#include "network/transport.hpp"
#include "program/program.hpp"

namespace orrery::core {

// Returns whether a program has collectives whose time it says.
bool has_fixed_time_collectives(const Program& program);

class FixedTimeCollectives final : public TimedCollectives {
 public:
  // Keeps references, as TimedCollectives does, and pointers. If times are known on some ranks only, which
  // all are simulated, the messages of these are counted by `transport`. Otherwise both pointers are null.
  FixedTimeCollectives(EventLoop& loop, const CollectiveRanks& ranks, CollectiveListener& listener,
                       std::unique_ptr<RecordedCollectives> others, const KnownTimes* on_some_ranks,
                       Transport* transport);

  [[nodiscard]] Issued issue(ClassId of_class, std::uint32_t token, const CollectiveRequest& request,
                             Stamp at) override;
  void end() override;
  ChunkRecords records(std::uint32_t part) const override { return others_->records(part); }
  std::vector<Bytes> payload(std::uint32_t part) const override { return others_->payload(part); }
  std::uint64_t messages() const override { return others_->messages() + counted_; }
  PhaseCounts phases() const override { return others_->phases(); }
  std::vector<Waiting> waiting() const override;

 private:
  Time duration_of(const CollectiveRequest& request) override { return *request.takes; }

  std::unique_ptr<RecordedCollectives> others_;
  const KnownTimes* on_some_ranks_;
  Transport* transport_;
  // How often ranks have issued collectives whose times are known on some ranks: by number and by rank.
  std::vector<std::vector<std::uint64_t>> issued_;
  std::uint64_t counted_ = 0;  // messages that the transport has counted
};

}  // namespace orrery::core
