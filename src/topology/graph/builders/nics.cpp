#include "topology/graph/builders/nics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

void check_nics(const std::optional<Nics>& nics, int npus, const InputNode& map) {
  if (!nics || nics->count % npus == 0 || npus % nics->count == 0) return;
  throw InputError(
      map.find("nics")->where,
      fmt::format("{} NICs cannot be dealt evenly to {} NPUs: choose a `count` that is a multiple or "
                  "a divisor of their number",
                  nics->count, npus));
}

Ports add_nics(GraphDraft& draft, const Ports& npus, const std::optional<Nics>& nics) {
  if (!nics) return npus;
  Ports ports;
  for (int i = 0; i < nics->count; ++i) ports.push_back(draft.add(NodeKind::nic, "nic"));
  const std::size_t links = std::max(npus.size(), ports.size());
  for (std::size_t i = 0; i < links; ++i)
    draft.join(npus[i * npus.size() / links], ports[i * ports.size() / links], nics->link);
  return ports;
}

}  // namespace orrery
