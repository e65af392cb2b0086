// Builds GPUs joined by NVLink switches. The links of a GPU go to the switches of its board in turn. The
// switches of two boards are joined one by one, by as many links as lead down from each, as in a DGX-2.
#include <fmt/format.h>

#include "topology/graph/builders/network_builders.hpp"
#include "topology/graph/builders/nics.hpp"

namespace orrery {
namespace {

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

NetworkPlan plan_nvlink(const InputNode& map) {
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

}  // namespace orrery
