#include "collective/schedule.hpp"

#include <array>
#include <functional>

namespace orrery {

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
