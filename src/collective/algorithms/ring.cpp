// Ring: every member sends to its neighbour and receives from the other one, step after step.
// Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 2009.
#include "collective/algorithms/algorithms.hpp"
#include "collective/algorithms/rooted_programs.hpp"

namespace orrery::core {

namespace {

ExchangeSchedule make_ring(const PhaseRequest& request) {
  const std::uint32_t n = request.members;
  const std::uint64_t rounds = n - 1;
  ExchangeSchedule schedule;
  schedule.kind = request.kind;
  schedule.relayed = n - 1;
  const Bytes share = request.kind == CollectiveKind::all_gather ? request.input : request.input / n;
  schedule.steps = {{request.backward ? n - 1 : 1, share}};
  switch (request.kind) {
    case CollectiveKind::all_reduce:
      schedule.messages = 2 * rounds;
      break;
    // Data for the member d steps away is relayed d times: 1 + 2 + ... + (n-1) rounds.
    case CollectiveKind::all_to_all:
      schedule.messages = n * rounds / 2;
      break;
    default:
      schedule.messages = rounds;
      break;
  }
  return schedule;
}

}  // namespace

// Collectives with a root go along the chain of neighbours.
const AlgorithmKind ring_algorithm{.name = "ring",
                                   .make = [](const PhaseRequest& request) -> Schedule {
                                     if (is_symmetric(request.kind)) return make_ring(request);
                                     return make_rooted_schedule(RootedTree::chain, request);
                                   },
                                   .rooted = true};

}  // namespace orrery::core
