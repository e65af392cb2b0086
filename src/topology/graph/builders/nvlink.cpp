// Builds GPUs joined by NVLink switches. The links of a GPU go to the switches of its board in turn. The
// switches of two boards are joined one by one, by as many links as lead down from each, as in a DGX-2.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "topology/graph/builders/network_builders.hpp"

#include "topology/graph/builders/network_plan.hpp"

namespace orrery::core {

namespace {

// The NICs of a box of NPUs.
struct Nics {
  int count = 0, pcie_switches = 0;
  Cable link;
};

constexpr int max_nics = 1024;

constexpr Key<Nics> nic_keys[] = {
    key::integer<&Nics::count>("count", 1, max_nics, "required",
                               "number of NICs of a box, a multiple or a divisor of the number of its NPUs: "
                               "several NICs for each NPU, or one for several NPUs next to each other")
        .better(Better::more)
        .hardware(),
    key::integer<&Nics::pcie_switches>("pcie-switches", 1, max_nics, "none",
                                       "number of PCIe switches, to which NPUs and NICs are dealt evenly, in "
                                       "their order; without any, NPUs and NICs are joined directly")
        .better(Better::more)
        .hardware(),
    key::map<cable_keys, &Nics::link>("link", "a link", "required",
                                      "link between an NPU and a NIC, such as by a PCIe switch; with "
                                      "`pcie-switches`, link from such a switch to an NPU or a NIC"),
};

void join_by_switches(GraphDraft& draft, const Ports& npus, const Ports& ports, const Nics& nics) {
  const auto count = static_cast<std::size_t>(nics.pcie_switches);
  Ports switches;
  for (std::size_t i = 0; i < count; ++i) switches.push_back(draft.add(NodeKind::pcie_switch, "pcie"));
  for (const Ports& ends : {npus, ports})
    for (std::size_t i = 0; i < ends.size(); ++i)
      draft.join(ends[i], switches[i * count / ends.size()], nics.link);
}

// Throws InputError at the NICs of `map` if they cannot be dealt to so many NPUs.
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

// Adds the NICs, and returns the ports of the box: the NICs, or the NPUs where there are none.
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

struct NvlinkMap {
  int size = 0, switches = 0, links = 0, boards = 1;
  Cable link = nvlink_cable();
  bool reduction = false;
  std::optional<Nics> nics;
};

constexpr int max_gpus = 4096;
constexpr Key<NvlinkMap> nvlink_keys[] = {
    build_key,
    key::integer<&NvlinkMap::size>("size", 1, max_gpus, "required", "number of GPUs"),
    key::integer<&NvlinkMap::switches>("switches", 1, max_gpus, "required", "number of NVLink switches")
        .better(Better::more)
        .hardware(),
    key::integer<&NvlinkMap::links>(
        "links", 1, max_gpus, "required",
        "number of NVLinks of a GPU, which lead to the switches of its board in turn")
        .better(Better::more)
        .hardware(),
    key::integer<&NvlinkMap::boards>("boards", 1, 2, "1",
                                     "whether GPUs and switches are on two boards, and each switch is joined "
                                     "with its like on the other board"),
    key::map<cable_keys, &NvlinkMap::link>("link", "a link", "required", "properties of one NVLink"),
    reduction_key<&NvlinkMap::reduction>,
    key::map<nic_keys, &NvlinkMap::nics>("nics", "the NICs", "none", "NICs, which are the ports of the box"),
};

void require_multiple(const InputNode& map, std::string_view key, int value, int boards) {
  if (value % boards != 0)
    throw InputError(map.find(key)->where,
                     fmt::format("`{}` has to be a multiple of the number of boards, {}", key, boards));
}

Ports add_nvlink(GraphDraft& draft, const NvlinkMap& box) {
  Ports npus, switches;
  for (int i = 0; i < box.size; ++i) npus.push_back(draft.next_npu());
  for (int i = 0; i < box.switches; ++i)
    switches.push_back(draft.add(NodeKind::network_switch, "nvswitch", box.reduction));
  const int npus_of_board = box.size / box.boards, switches_of_board = box.switches / box.boards;
  for (int npu = 0; npu < box.size; ++npu)
    for (int link = 0; link < box.links; ++link)
      draft.join(npus[npu], switches[npu / npus_of_board * switches_of_board + link % switches_of_board],
                 box.link);
  if (box.boards == 2)
    for (int i = 0; i < npus_of_board * box.links; ++i)
      draft.join(switches[i % switches_of_board], switches[switches_of_board + i % switches_of_board],
                 box.link);
  return add_nics(draft, npus, box.nics);
}

NetworkPlan plan_nvlink(const InputNode& map, const Extensions&) {
  NvlinkMap box;
  read_map(map, "a box of NVLink switches", nvlink_keys, box);
  require_multiple(map, "size", box.size, box.boards);
  require_multiple(map, "switches", box.switches, box.boards);
  check_nics(box.nics, box.size, map);
  return {{box.size}, box.nics ? box.nics->count : box.size, false, [box](GraphDraft& draft) {
            return add_nvlink(draft, box);
          }};
}

}  // namespace

const NetworkBuilder nvlink_builder{"nvlink", [] { return key_paths("", nvlink_keys); }, plan_nvlink};

}  // namespace orrery::core
