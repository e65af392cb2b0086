#include "collective/streams/plan/custom_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collective/collective_backend.hpp"

namespace orrery {

namespace {

// Traces of a custom algorithm may run in groups of different sizes, so the peers are checked for each group.
void check_peers(RankId rank, const StreamPhase& phase) {
  for (const MemberProgram::Step& step : phase.custom->steps) {
    if (step.kind == MemberProgram::Kind::compute) continue;
    if (step.peer >= phase.members.size())
      throw CollectiveError(
          fmt::format("runs a custom algorithm that names position {} among {} ranks: correct "
                      "the peers of its messages",
                      step.peer, phase.members.size()));
    if (phase.members.rank_at(step.peer) == rank)
      throw CollectiveError(fmt::format(
          "runs a custom algorithm in which rank {} sends to or receives from itself: correct the "
          "peers of its messages",
          rank.value()));
  }
}

}  // namespace

// Positions in a group follow its sorted members, but its peers follow the listed ones.
StreamPhase custom_phase(RankId rank, const CustomAlgorithm& algorithm, const Communicator* group, int npus) {
  StreamPhase phase;
  std::size_t position = rank.index();
  if (group) {
    position = static_cast<std::size_t>(
        std::ranges::count_if(group->members, [&](RankId other) { return other < rank; }));
    phase.members.group = group;
  } else {
    phase.members.dimension = {1, npus, -1};
  }
  if (position >= algorithm.size()) {
    throw CollectiveError(
        fmt::format("runs a custom algorithm of {} traces among {} ranks: add the one of position {}",
                    algorithm.size(), phase.members.size(), position));
  }
  phase.custom = &algorithm[position];
  check_peers(rank, phase);
  return phase;
}

}  // namespace orrery
