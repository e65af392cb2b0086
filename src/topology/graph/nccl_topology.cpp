// NCCL's description of one machine, as NCCL_TOPO_DUMP_FILE writes it:
//
//   <system version="1">
//     <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="79">
//       <pci busid="0000:04:00.0" class="0x060400" link_speed="8 GT/s" link_width="16">      a PCIe switch
//         <pci busid="0000:06:00.0" class="0x030200" link_speed="8 GT/s" link_width="16">
//           <gpu dev="0" sm="70">
//             <nvlink target="0000:07:00.0" count="1" tclass="0x030200"/>                      0x068000: a
//             switch
//         <pci busid="0000:05:00.0" class="0x020700" link_speed="8 GT/s" link_width="16">
//           <nic> <net name="mlx5_0" dev="0" speed="100000"/>
//
// Links have the rates that NCCL 2.27 assumes (nccl_rates.hpp). All NVLink switches are one, as in NCCL.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/words.hpp"
#include "base/xml_file.hpp"
#include "topology/graph/graph_draft.hpp"
#include "topology/graph/graph_formats.hpp"
#include "topology/graph/nccl_rates.hpp"

namespace orrery {
namespace {

constexpr int deepest = 64;  // elements inside one another

Cable cable_of(double gb_per_s, int count = 1) {
  Cable cable;
  cable.bandwidth = Bandwidth::from_gb_per_s(gb_per_s);
  cable.count = count;
  return cable;
}

class NcclReader {
 public:
  NcclReader(std::string_view text, const std::string& file)
      : file_(file), xml_(text, file), draft_({file}) {}

  BuiltNetwork read(Warnings& warnings) {
    const XmlElement system = xml_.root("system", "a topology of NCCL");
    find_gpus(system, 0, warnings);
    add_gpus(system);
    for (const XmlElement cpu : system.children("cpu")) add_cpu(cpu);
    for (const auto& [dev, gpu] : gpus_) add_nvlinks(gpu);
    warnings.add({file_}, "NCCL's topologies say nothing of latencies, so links have none");
    return {draft_.finish(), {static_cast<int>(gpus_.size())}};
  }

 private:
  struct Gpu {
    XmlElement element;
    NodeId node = 0;
  };

  SourceLocation where(XmlElement element) const { return xml_.where(element); }
  // Numbers of buses are written in either case.
  std::string lower_case(XmlElement element, const char* name) const {
    std::string text(xml_.text(element, name));
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    return text;
  }
  int number(XmlElement element, const char* name, int least, int largest) const {
    return static_cast<int>(xml_.whole(element, name, least, largest));
  }

  void find_gpus(XmlElement element, int depth, Warnings& warnings) {
    if (depth > deepest)
      throw InputError(where(element),
                       fmt::format("elements stand more than {} deep in one another", deepest));
    for (const XmlElement gpu : element.children("gpu"))
      if (!gpus_.try_emplace(number(gpu, "dev", 0, most_devices), Gpu{gpu}).second)
        throw InputError(where(gpu), fmt::format("there are two GPUs {}: give one another `dev`",
                                                 number(gpu, "dev", 0, most_devices)));
    for (const XmlElement below : element.children()) {
      const std::string_view name = below.name();
      if (name == "c2c" || name == "pcilink")
        warnings.add(where(below), fmt::format("links of the kind `{}` are left out", name));
      find_gpus(below, depth + 1, warnings);
    }
  }

  void add_gpus(XmlElement system) {
    if (gpus_.empty()) throw InputError(where(system), "there is no `gpu` in the system");
    for (auto& [dev, gpu] : gpus_) {
      gpu.node = draft_.add({NodeKind::npu, fmt::format("gpu{}", dev), false});
      const XmlElement pci = gpu.element.parent();
      if (std::string_view(pci.name()) != "pci")
        throw InputError(where(gpu.element), "a `gpu` stands in a `pci`, which has its bus");
      if (!gpu_at_bus_.emplace(lower_case(pci, "busid"), gpu.node).second)
        throw InputError(where(pci), "there are two GPUs of this `busid`: correct one");
    }
  }

  void add_cpu(XmlElement element) {
    const NodeId cpu = draft_.add(NodeKind::cpu, "cpu");
    const double rate =
        nccl_cpu_rate(element.attribute("arch").value(), element.attribute("vendor").value(),
                      element.attribute("familyid").as_int(), element.attribute("modelid").as_int());
    for (const auto& [other, rate_of_other] : cpus_)
      draft_.join(other, cpu, cable_of(std::min(rate, rate_of_other)));
    cpus_.emplace_back(cpu, rate);
    add_devices(element, cpu);
  }

  // Adds everything that is below a CPU or a PCIe switch.
  void add_devices(XmlElement element, NodeId above) {
    for (XmlElement nic = element.child("nic"); nic; nic = nic.next_sibling("nic"))
      draft_.join(draft_.add(NodeKind::nic, "nic"), above, cable_of(nccl_local_rate));
    for (const XmlElement pci : element.children("pci")) {
      const Cable cable = cable_of(
          nccl_pcie_rate(pci.attribute("link_speed").value(), number(pci, "link_width", 0, most_lanes)));
      if (pci.child("gpu")) {
        draft_.join(gpu_at_bus_.at(lower_case(pci, "busid")), above, cable);
      } else if (pci.child("nic")) {
        draft_.join(draft_.add(NodeKind::nic, "nic"), above, cable);
      } else if (pci.child("pci")) {
        const NodeId pcie = draft_.add(NodeKind::pcie_switch, "pcie");
        draft_.join(pcie, above, cable);
        add_devices(pci, pcie);
      }
    }
  }

  // Both ends of an NVLink name it, and the lower GPU adds it.
  void add_nvlinks(const Gpu& gpu) {
    for (const XmlElement nvlink : gpu.element.children("nvlink")) {
      const auto peer = gpu_at_bus_.find(lower_case(nvlink, "target"));
      Cable cable = cable_of(nccl_nvlink_rate(number(gpu.element, "sm", 1, 1000)),
                             number(nvlink, "count", 1, most_in_parallel));
      cable.striped = true;
      if (peer == gpu_at_bus_.end()) {
        if (lower_case(nvlink, "tclass").starts_with("0x03"))
          throw InputError(where(nvlink), fmt::format("no GPU has the bus {}: correct `target`",
                                                      backquoted(nvlink.attribute("target").value())));
        if (!nvswitch_) nvswitch_ = draft_.add(NodeKind::network_switch, "nvswitch");
        draft_.join(gpu.node, *nvswitch_, cable);
      } else if (gpu.node < peer->second) {
        draft_.join(gpu.node, peer->second, cable);
      } else if (gpu.node == peer->second) {
        throw InputError(where(nvlink), "a link joins a GPU to itself: correct `target`");
      }
    }
  }

  static constexpr int most_devices = 65535, most_lanes = 64;

  const std::string& file_;
  XmlFile xml_;
  GraphDraft draft_;
  std::map<int, Gpu> gpus_;  // by device
  std::map<std::string, NodeId> gpu_at_bus_;
  std::vector<std::pair<NodeId, double>> cpus_;  // with the rates of their links
  std::optional<NodeId> nvswitch_;
};

bool is_nccl_topology(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first < text.size() && text[first] == '<';
}

}  // namespace

const GraphFormat nccl_topology_format{
    "NCCL's topology of a machine", is_nccl_topology,
    [](std::string_view text, const std::string& file, Warnings& warnings) {
      return NcclReader(text, file).read(warnings);
    }};

}  // namespace orrery
