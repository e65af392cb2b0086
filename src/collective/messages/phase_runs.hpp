// The phases that are run message by message, from when they are opened until all ranks have ended them.
#pragma once

#include <memory>
#include <vector>

#include "collective/messages/phase_run.hpp"

namespace orrery {

class PhaseRuns final : private EventHandler {
 public:
  using RunId = PhaseEngine::RunId;

  // Keeps references.
  PhaseRuns(EventLoop& loop, const RankParts& parts, PhaseListener& listener);

  // Opens one, whose members are left to its kind.
  RunId open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part);
  PhaseRun& operator[](RunId run) { return *runs_[run]; }
  const PhaseRun& operator[](RunId run) const { return *runs_[run]; }
  // Number of simulated ranks.
  std::uint32_t ranks() const { return ranks_; }

  // A rank has done its part, which it ends now or at the earliest end that was asked for.
  void ended(RunId run, std::uint32_t rank);
  ReceiveStatistics take_receive_statistics(RunId run);

 private:
  void handle(const Event& event) override { ended(event.object, event.rank); }

  EventLoop& loop_;
  const RankParts& parts_;
  PhaseListener& listener_;
  std::uint16_t handler_;
  std::uint32_t ranks_ = 0;
  std::vector<std::unique_ptr<PhaseRun>> runs_;
  std::vector<RunId> free_;
};

}  // namespace orrery
