#include "topology/graph/builders/nics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {
namespace {

void join_by_switches(GraphDraft& draft, const Ports& npus, const Ports& ports, const Nics& nics) {
  const auto count = static_cast<std::size_t>(nics.pcie_switches);
  Ports switches;
  for (std::size_t i = 0; i < count; ++i) switches.push_back(draft.add(NodeKind::pcie_switch, "pcie"));
  for (const Ports& ends : {npus, ports})
    for (std::size_t i = 0; i < ends.size(); ++i)
      draft.join(ends[i], switches[i * count / ends.size()], nics.link);
}

}  // namespace

void check_nics(const std::optional<Nics>& nics, int npus, const InputNode& map) {
  if (!nics) return;
  if (const int switches = nics->pcie_switches; switches > 0) {
    if (nics->count % switches == 0 && npus % switches == 0) return;
    throw InputError(map.find("nics")->find("pcie-switches")->where,
                     fmt::format("{} NPUs and {} NICs cannot be dealt evenly to {} PCIe switches: choose a "
                                 "divisor of both numbers",
                                 npus, nics->count, switches));
  }
  if (nics->count % npus == 0 || npus % nics->count == 0) return;
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
  if (nics->pcie_switches > 0) {
    join_by_switches(draft, npus, ports, *nics);
    return ports;
  }
  const std::size_t links = std::max(npus.size(), ports.size());
  for (std::size_t i = 0; i < links; ++i)
    draft.join(npus[i * npus.size() / links], ports[i * ports.size() / links], nics->link);
  return ports;
}

}  // namespace orrery
