// Recursive halving (reduce-scatter) and doubling (all-gather): log2 n exchanges at distances 1, 2, 4, ...
// Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", 2005.
#include <bit>

#include "collective/algorithms/algorithms.hpp"

namespace orrery::core {

namespace {

ExchangeSchedule make_halving_doubling(const PhaseRequest& request) {
  const std::uint32_t n = request.members;
  if (request.kind == CollectiveKind::all_to_all) {
    throw InputError(request.where, "halving-doubling has no all-to-all, choose ring or direct for it");
  }
  if (!std::has_single_bit(n)) {
    throw InputError(request.where, "halving-doubling needs a power of two of NPUs in its dimension, not " +
                                        std::to_string(n) + ", choose ring or direct");
  }
  const auto rounds = static_cast<std::uint32_t>(std::countr_zero(n));
  const bool all_reduce = request.kind == CollectiveKind::all_reduce;
  ExchangeSchedule schedule;
  schedule.kind = request.kind;
  schedule.peer = ExchangeSchedule::Peer::exclusive_or;
  schedule.relayed = rounds - 1;
  schedule.messages = all_reduce ? 2 * rounds : rounds;

  // There is one step more than there are messages: the last preparation sends nothing but has a size.
  bool halving = request.kind != CollectiveKind::all_gather;
  std::uint32_t distance = halving ? 1 : n / 2;
  Bytes bytes = halving ? request.input / 2 : request.input;
  for (std::uint32_t k = 0; k <= schedule.messages; ++k) {
    schedule.steps.push_back({distance, bytes});
    if (halving) {
      distance *= 2;
      bytes = bytes / 2;
    }
    if (all_reduce && distance == n) halving = false;
    if (!halving) {
      distance /= 2;
      bytes = bytes * 2;
    }
  }
  return schedule;
}

}  // namespace

const AlgorithmKind halving_doubling_algorithm{
    .name = "halving-doubling",
    .make = [](const PhaseRequest& request) -> Schedule { return make_halving_doubling(request); }};

}  // namespace orrery::core
