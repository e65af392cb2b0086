#include "simulate/contention/endpoint_contention.hpp"

#include <utility>

namespace orrery::core {

void EndpointContention::schedule(ClassId of_class) {
  Rank& rank = ranks_[of_class.index()];
  const std::optional<Endpoint::End> next = rank.endpoint.next();
  if (next == rank.scheduled) return;
  rank.scheduled = next;
  ++rank.number;
  if (next)
    timers_.after(of_class, next->at - loop_.time(),
                  {event_.handler, event_.what, of_class.value(), next->id, rank.number});
}

void EndpointContention::compute(ClassId of_class, Id id, Time alone, const Contention& contention) {
  ranks_[of_class.index()].endpoint.compute(loop_.time(), id, alone, contention);
  schedule(of_class);
}

void EndpointContention::join(ClassId of_class, Id id) {
  ranks_[of_class.index()].endpoint.join(loop_.time(), id);
  schedule(of_class);
}

bool EndpointContention::arrive(ClassId of_class, Id id) {
  const bool through = ranks_[of_class.index()].endpoint.arrive(loop_.time(), id);
  schedule(of_class);
  return through;
}

std::optional<Endpoint::End> EndpointContention::ended(const Event& event) {
  const ClassId of_class(event.rank);
  Rank& rank = ranks_[of_class.index()];
  if (event.extra != rank.number) return std::nullopt;
  const std::optional<Endpoint::End> end = std::exchange(rank.scheduled, std::nullopt);
  rank.endpoint.end(*end);
  schedule(of_class);
  return end;
}

}  // namespace orrery::core
