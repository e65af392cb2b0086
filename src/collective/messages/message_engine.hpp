// Runs phases message by message (docs/models/collectives.md).
#pragma once

#include <array>

#include "base/units/rank_id.hpp"
#include "collective/messages/phase_messages.hpp"

namespace orrery::core {

class MessageEngine final : public PhaseEngine {
 public:
  // Keeps references. The transport says how long messages take; without one, they never meet. A simulated
  // rank stands for `stands_for` ranks: 1, or all where rank 0 stands for all. In the latter case phases are
  // exchanges without handshakes.
  MessageEngine(EventLoop& loop, RankTimers& timers, const SystemConfig& system, const Dialect& dialect,
                const ContentionFreeNetwork& network, const RankParts& parts, int topology_dimensions,
                PhaseListener& listener, std::uint32_t stands_for = 1, Transport* transport = nullptr);

  RunId open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part, std::uint32_t absent) override;
  void start(RunId run, ClassId of_class, Stamp earliest_end) override;
  ReceiveStatistics take_receive_statistics(RunId run) override { return runs_.take_receive_statistics(run); }
  const std::vector<Bytes>& payload(std::uint32_t part) const override { return messages_.payload(part); }
  std::uint64_t messages() const override { return messages_.sent() * stands_for_; }
  std::string waiting(RunId run, ClassId of_class) const override {
    return runs_[run].kind->waiting(run, simulated_of(of_class));
  }

 private:
  std::uint32_t stands_for_;
  PhaseRuns runs_;
  Endpoints endpoints_;
  PhaseMessages messages_;
  std::array<std::unique_ptr<PhaseKind>, std::variant_size_v<Schedule>> kinds_;  // by Schedule::index()
};

}  // namespace orrery::core
