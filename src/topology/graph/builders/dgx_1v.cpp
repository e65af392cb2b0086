// Builds the DGX-1 with V100: 8 GPUs in a hybrid cube mesh of NVLinks, six for each GPU; two CPUs with two
// PCIe switches each, and below each of the switches two GPUs and a NIC. GPUs pass nothing on, so those that
// share no NVLink meet by PCIe.
#include <algorithm>

#include "topology/graph/builders/network_builders.hpp"

namespace orrery::core {
namespace {

constexpr int gpus_of_dgx_1 = 8;

struct Dgx1vMap {
  int gpus = gpus_of_dgx_1;
  bool joins_every_pair = false;
  Cable nvlink = nvlink_cable();
  Cable pcie, cpus;
};

constexpr Key<Dgx1vMap> dgx_1v_keys[] = {
    build_key,
    key::integer<&Dgx1vMap::gpus>(
        "gpus", 1, gpus_of_dgx_1, "8",
        "number of GPUs that are used, the first ones; the others are left out with their "
        "NVLinks"),
    key::boolean<&Dgx1vMap::joins_every_pair>("every-pair", "false",
                                              "whether pairs of GPUs that share no NVLink have one, too. No "
                                              "such machine was built; it shows what the "
                                              "missing NVLinks cost")
        .better(Better::either)
        .hardware(),
    key::map<cable_keys, &Dgx1vMap::nvlink>("nvlink", "a link", "required",
                                            "properties of one NVLink; some pairs of GPUs share two"),
    key::map<cable_keys, &Dgx1vMap::pcie>("pcie", "a link", "required",
                                          "link from a PCIe switch to a GPU, a NIC or a CPU"),
    key::map<cable_keys, &Dgx1vMap::cpus>("cpus", "a link", "required", "link between the CPUs"),
};

struct NvlinkPair {
  int a, b, links;
};
constexpr NvlinkPair nvlinks[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1},
                                  {1, 5, 2}, {2, 3, 2}, {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1},
                                  {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};

int nvlinks_between(int a, int b) {
  for (const NvlinkPair& pair : nvlinks)
    if (pair.a == a && pair.b == b) return pair.links;
  return 0;
}

Ports add_dgx_1v(GraphDraft& draft, const Dgx1vMap& box) {
  Ports npus, nics;
  for (int gpu = 0; gpu < box.gpus; ++gpu) npus.push_back(draft.next_npu());
  for (int a = 0; a < box.gpus; ++a)
    for (int b = a + 1; b < box.gpus; ++b) {
      const int links = std::max(nvlinks_between(a, b), box.joins_every_pair ? 1 : 0);
      for (int link = 0; link < links; ++link) draft.join(npus[a], npus[b], box.nvlink);
    }
  const NodeId cpus[] = {draft.add(NodeKind::cpu, "cpu"), draft.add(NodeKind::cpu, "cpu")};
  draft.join(cpus[0], cpus[1], box.cpus);
  for (std::size_t pair = 0; pair < gpus_of_dgx_1 / 2; ++pair) {
    const NodeId pcie = draft.add(NodeKind::pcie_switch, "pcie");
    nics.push_back(draft.add(NodeKind::nic, "nic"));
    for (std::size_t gpu = 2 * pair; gpu < std::min(2 * pair + 2, npus.size()); ++gpu)
      draft.join(npus[gpu], pcie, box.pcie);
    for (const NodeId end : {nics[pair], cpus[pair / 2]}) draft.join(end, pcie, box.pcie);
  }
  return nics;
}

NetworkPlan plan_dgx_1v(const InputNode& map, const Extensions&) {
  Dgx1vMap box;
  read_map(map, "a DGX-1V", dgx_1v_keys, box);
  return {{box.gpus}, gpus_of_dgx_1 / 2, false, [box](GraphDraft& draft) { return add_dgx_1v(draft, box); }};
}

}  // namespace

const NetworkBuilder dgx_1v_builder{"dgx-1v", [] { return key_paths("", dgx_1v_keys); }, plan_dgx_1v};

}  // namespace orrery::core
