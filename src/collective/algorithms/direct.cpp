// Direct: every member exchanges its share with every other one, a window of peers at a time.
#include <algorithm>

#include "collective/algorithms/algorithms.hpp"
#include "collective/algorithms/rooted_programs.hpp"

namespace orrery::core {

namespace {

ExchangeSchedule make_direct(const PhaseRequest& request) {
  const std::uint32_t n = request.members;
  const std::uint32_t peers = n - 1;
  ExchangeSchedule schedule;
  schedule.kind = request.kind;
  schedule.in_flight = request.window == 0 ? peers : std::min<std::uint32_t>(request.window, peers);
  schedule.fresh = schedule.in_flight;
  schedule.relayed = schedule.in_flight;
  const Bytes share = request.kind == CollectiveKind::all_gather ? request.input : request.input / n;
  for (std::uint32_t peer = 1; peer < n; ++peer) {
    schedule.steps.push_back({request.backward ? n - peer : peer, share});
  }
  const bool all_reduce = request.kind == CollectiveKind::all_reduce;
  schedule.messages = all_reduce ? 2 * peers : peers;
  schedule.gate = all_reduce ? peers : 0;
  return schedule;
}

}  // namespace

// In a collective with a root, the root sends to all others, or receives from all, at once.
const AlgorithmKind direct_algorithm{.name = "direct",
                                     .make = [](const PhaseRequest& request) -> Schedule {
                                       if (is_symmetric(request.kind)) return make_direct(request);
                                       return make_rooted_schedule(RootedTree::star, request);
                                     },
                                     .rooted = true,
                                     .has_window = true};

}  // namespace orrery::core
