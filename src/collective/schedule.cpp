#include "collective/schedule.hpp"

#include <array>
#include <functional>

namespace orrery {

std::uint64_t ExchangeSchedule::reducing_among_first(std::uint64_t count) const {
  const std::uint64_t cycles = count / (fresh + relayed), rest = count % (fresh + relayed);
  const std::uint64_t in_rest = rest > fresh ? rest - fresh : 0;
  switch (kind) {
    case CollectiveKind::reduce_scatter:
      return cycles * relayed + in_rest;
    case CollectiveKind::all_reduce:
      return (cycles + 1) / 2 * relayed + (cycles % 2 == 0 ? in_rest : 0);
    case CollectiveKind::all_gather:
    case CollectiveKind::all_to_all:
      return 0;
  }
  return 0;
}

std::vector<std::uint32_t> TreeSchedule::downwards() const {
  std::vector<std::uint32_t> order;
  order.reserve(members);
  for (std::uint32_t x = 0; x < members && order.empty(); ++x)
    if (node(x).parent == none) order.push_back(x);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node at = node(order[i]);
    for (const std::int32_t child : {at.left, at.right})
      if (child != none) order.push_back(static_cast<std::uint32_t>(child));
  }
  return order;
}

namespace {
// One line per algorithm, in the order of the enumeration.
using Maker = Schedule (*)(const PhaseRequest&);
constexpr std::array<Maker, 4> makers{
    [](const PhaseRequest& r) -> Schedule { return make_ring(r); },
    [](const PhaseRequest& r) -> Schedule { return make_direct(r); },
    [](const PhaseRequest& r) -> Schedule { return make_halving_doubling(r); },
    [](const PhaseRequest& r) -> Schedule { return make_double_binary_tree(r); },
};
}  // namespace

Schedule make_schedule(Algorithm algorithm, const PhaseRequest& request) {
  return makers[static_cast<std::size_t>(algorithm)](request);
}

Bytes output_of(Algorithm algorithm, const PhaseRequest& request) {
  if (algorithm == Algorithm::double_binary_tree) return request.input;
  switch (request.kind) {
    case CollectiveKind::reduce_scatter:
      return request.input / request.members;
    case CollectiveKind::all_gather:
      return request.input * request.members;
    case CollectiveKind::all_reduce:
    case CollectiveKind::all_to_all:
      return request.input;
  }
  return request.input;
}

}  // namespace orrery
