// NCCL's and RCCL's description of a machine, or of the hosts of an NVLink domain, as NCCL_TOPO_DUMP_FILE
// writes it:
//
//   <system version="1">
//     <cpu numaid="0" host_hash="0x1" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="79">
//       <pci busid="0000:04:00.0" class="0x060400" link_speed="8 GT/s" link_width="16">      a PCIe switch
//         <pci busid="0000:06:00.0" class="0x030200" link_speed="8 GT/s" link_width="16">
//           <gpu dev="0" sm="70" rank="0">
//             <nvlink target="0000:07:00.0" count="1" tclass="0x030200"/>          0x068000: a switch
//             <xgmi target="0000:07:00.0" count="1" tclass="0x038000"/>            of AMD's GPUs
//             <c2c bw="44712" count="5"/>                                          to the CPU
//         <pci busid="0000:05:00.0" class="0x020700" link_speed="8 GT/s" link_width="16">
//           <nic> <net name="mlx5_0" dev="0" speed="100000"/>
//
// Links have the rates that NCCL 2.27 and RCCL assume (nccl_rates.hpp). All NVLink switches are one, as in
// NCCL.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/input/xml_file.hpp"
#include "topology/graph/formats/graph_formats.hpp"
#include "topology/graph/formats/nccl_gpus.hpp"
#include "topology/graph/formats/nccl_links.hpp"
#include "topology/graph/formats/nccl_rates.hpp"
#include "topology/graph/graph_draft.hpp"

namespace orrery::core {

namespace {

constexpr int deepest_fused = 64;  // elements inside one another; deeper ones are refused later

std::vector<XmlElement> children_of(XmlElement element) {
  const auto children = element.children();
  return {children.begin(), children.end()};
}

// Returns a text that is equal for elements of the same name and attributes, in whatever order these stand.
std::string identity_of(XmlElement element) {
  std::vector<std::string> attributes;
  for (const pugi::xml_attribute& attribute : element.attributes())
    attributes.push_back(std::string(attribute.name()) + '\n' + attribute.value());
  std::ranges::sort(attributes);
  std::string text = element.name();
  for (const std::string& attribute : attributes) text += '\n' + attribute;
  return text;
}

bool is_device(XmlElement element) {
  constexpr std::string_view devices[] = {"cpu", "pci", "gpu"};
  return std::ranges::find(devices, std::string_view(element.name())) != std::end(devices) &&
         element.first_attribute();
}

// Moves what is new in one element to the other, and forgets the rest. Of several equal elements in each, the
// first is the same as the first, and so on.
void move_new(XmlElement from, XmlElement to, int depth) {
  std::map<std::string, std::vector<XmlElement>> known;
  for (const XmlElement child : children_of(to)) known[identity_of(child)].push_back(child);
  std::map<std::string, std::size_t> seen;
  for (const XmlElement child : children_of(from)) {
    const std::string identity = identity_of(child);
    const std::vector<XmlElement>& equal = known[identity];
    const std::size_t place = seen[identity]++;
    if (place >= equal.size())
      to.append_move(child);
    else if (depth < deepest_fused)
      move_new(child, equal[place], depth + 1);
  }
}

void fuse_below(XmlElement element, int depth) {
  if (depth > deepest_fused) return;
  std::map<std::string, XmlElement> first;
  for (const XmlElement child : children_of(element)) {
    if (!is_device(child)) continue;
    const auto [known, is_new] = first.try_emplace(identity_of(child), child);
    if (is_new) continue;
    move_new(child, known->second, depth + 1);
    element.remove_child(child);
  }
  for (const XmlElement child : children_of(element)) fuse_below(child, depth + 1);
}

// NCCL's dump of an NVLink domain holds what each of several processes has found, so that the same device may
// stand in it more than once.
// This makes one element of CPUs, PCI devices and GPUs that stand side by side and are equal in all
// attributes, as NCCL does with the files of all processes. What stands in them is compared in the same way.
void fuse_equal_elements(XmlElement system) {
  fuse_below(system, 0);
}

Cable cable_of(double gb_per_s) {
  Cable cable;
  cable.bandwidth = Bandwidth::from_gb_per_s(gb_per_s);
  return cable;
}

// What may stand in an element.
constexpr std::pair<std::string_view, std::string_view> known_elements[] = {
    {"system", "cpu"}, {"cpu", "pci"},    {"cpu", "nic"},  {"pci", "pci"}, {"pci", "gpu"},    {"pci", "nic"},
    {"nic", "net"},    {"gpu", "nvlink"}, {"gpu", "xgmi"}, {"gpu", "c2c"}, {"pci", "pcilink"}};

class NcclReader {
 public:
  NcclReader(std::string_view text, const std::string& file, Warnings& warnings)
      : file_(file), xml_(text, file), draft_({file}), warnings_(warnings) {}

  BuiltNetwork read() {
    const XmlElement system = xml_.root("system", "a topology of NCCL");
    fuse_equal_elements(system);
    gpus_ = find_nccl_gpus(xml_, system, warnings_);
    add_gpus();
    for (const XmlElement cpu : system.children("cpu")) add_cpu(cpu);
    NcclLinks links(xml_, draft_, devices_, warnings_);
    links.add(gpus_);
    add_pci_links(system);
    note_unknown(system);
    for (const auto& [kind, found] : unknown_)
      warnings_.add(
          xml_.where(found.first),
          fmt::format("elements `{}` in a `{}` are not known here: {} left out", kind.second, kind.first,
                      found.count == 1 ? "one is" : fmt::format("{} are", found.count)));
    if (bare_gpus_ > 0)
      warnings_.add({file_}, fmt::format("{} devices of a GPU's class have no `gpu`: left out, as NCCL does "
                                         "with GPUs that take no part",
                                         bare_gpus_));
    warnings_.add({file_}, "NCCL's topologies say nothing of latencies, so links have none");
    return {draft_.finish(), groups_of_hosts(gpus_)};
  }

 private:
  struct Unknown {
    XmlElement first;
    int count = 0;
  };

  SourceLocation where(XmlElement element) const { return xml_.where(element); }

  void add_gpus() {
    for (const NcclGpu& gpu : gpus_) {
      devices_.add(gpu, draft_.add({NodeKind::npu, gpu.name, false}), xml_);
    }
    // Ranks that share a GPU are joined with it.
    for (auto& [bus, device] : devices_.at_bus) {
      if (device.npus.size() == 1 || device.halves == 2) continue;
      device.shared = draft_.add(NodeKind::pcie_switch, "device");
      for (const NodeId npu : device.npus) draft_.join(npu, *device.shared, cable_of(nccl_local_rate));
    }
    for (auto& [bus, device] : devices_.at_bus)
      if (device.halves == 2 && device.npus.size() == 2)
        draft_.join(device.npus[0], device.npus[1], cable_of(nccl_rate_of_halves));
  }

  void add_cpu(XmlElement element) {
    const std::string host = host_of_cpu(element);
    std::vector<Cpu>& others = cpus_[host];
    const std::string_view numa = element.attribute("numaid").value();
    const auto known =
        std::ranges::find_if(others, [&](const Cpu& cpu) { return !numa.empty() && cpu.numa == numa; });
    if (known != others.end()) return add_devices(element, known->node, host, true);
    const NodeId cpu = draft_.add(NodeKind::cpu, "cpu");
    const double rate =
        nccl_cpu_rate(element.attribute("arch").value(), element.attribute("vendor").value(),
                      element.attribute("familyid").as_int(), element.attribute("modelid").as_int());
    for (const Cpu& other : others) draft_.join(other.node, cpu, cable_of(std::min(rate, other.rate)));
    others.push_back({std::string(numa), cpu, rate});
    add_devices(element, cpu, host, true);
  }

  // Adds everything that is below a CPU or a PCIe switch.
  void add_devices(XmlElement element, NodeId above, const std::string& host, bool at_cpu) {
    if (at_cpu) cpu_ = above;
    for (const XmlElement nic : element.children("nic")) {
      static_cast<void>(nic);
      draft_.join(draft_.add(NodeKind::nic, "nic"), above, cable_of(nccl_local_rate));
    }
    for (const XmlElement pci : element.children("pci")) {
      const Cable cable =
          cable_of(nccl_pcie_rate(pci.attribute("link_speed").value(),
                                  static_cast<int>(xml_.whole_or(pci, "link_width", 0, 0, max_lanes))));
      if (pci.child("gpu")) {
        add_gpu(pci, host, above, cable, at_cpu);
      } else if (pci.child("nic")) {
        if (const auto [node, is_new] = device(NodeKind::nic, "nic", pci, host); is_new)
          draft_.join(node, above, cable);
      } else if (pci.child("pci")) {
        const auto [node, is_new] = device(NodeKind::pcie_switch, "pcie", pci, host);
        if (is_new) draft_.join(node, above, cable);
        add_devices(pci, node, host, false);
      } else if (is_gpu_class(lower_attribute(pci, "class"))) {
        ++bare_gpus_;
      }
    }
  }

  // A device is known by host and bus.
  std::pair<NodeId, bool> device(NodeKind kind, const char* stem, XmlElement pci, const std::string& host) {
    const std::string bus = lower_attribute(pci, "busid");
    if (bus.empty()) return {draft_.add(kind, stem), true};
    const auto [found, is_new] = other_devices_.try_emplace({host, bus});
    if (is_new) found->second = draft_.add(kind, stem);
    return {found->second, is_new};
  }

  // Of two links to the CPU, PCIe and C2C, the faster one counts.
  void add_gpu(XmlElement pci, const std::string& host, NodeId above, Cable cable, bool at_cpu) {
    NcclDevice& device = devices_.at_bus.at({host, lower_attribute(pci, "busid")});
    if (device.joined) throw InputError(where(pci), "there are two GPUs of this `busid`: correct one");
    device.joined = true;
    device.cpu = cpu_;
    double c2c = 0;
    for (const XmlElement link : pci.child("gpu").children("c2c"))
      c2c += static_cast<double>(xml_.whole(link, "bw", 1, max_bandwidth) *
                                 xml_.whole_or(link, "count", 1, 1, max_in_parallel)) /
             1000;
    if (c2c > 0) {
      const bool shared = device.npus.size() > 1 && !device.shared;
      const NodeId between = shared ? draft_.add(NodeKind::pcie_switch, "c2c") : cpu_;
      if (shared) draft_.join(between, cpu_, cable_of(c2c));
      if (!at_cpu || shared || c2c >= cable.bandwidth.bytes_per_ns())
        for (const NodeId end : device.ends()) draft_.join(end, between, cable_of(c2c));
      if (at_cpu && !shared && c2c >= cable.bandwidth.bytes_per_ns()) return;
    }
    for (const NodeId end : device.ends()) draft_.join(end, above, cable);
  }

  // Links between PCIe switches lead from here to there.
  void add_pci_links(XmlElement system) {
    for (const XmlElement cpu : system.children("cpu")) add_pci_links_below(cpu, host_of_cpu(cpu));
  }
  void add_pci_links_below(XmlElement element, const std::string& host) {
    for (const XmlElement pci : element.children("pci")) {
      const auto here = other_devices_.find({host, lower_attribute(pci, "busid")});
      for (const XmlElement link : pci.children("pcilink")) {
        xml_.text(link, "target");
        const auto there = other_devices_.find({host, lower_attribute(link, "target")});
        if (here == other_devices_.end() || there == other_devices_.end() || here == there) {
          warnings_.add(where(link), "this `pcilink` joins no two PCIe switches of the host: left out");
          continue;
        }
        Cable cable = cable_of(nccl_local_rate);
        cable.one_way = true;
        draft_.join(here->second, there->second, cable);
      }
      add_pci_links_below(pci, host);
    }
  }

  void note_unknown(XmlElement element) {
    const std::string_view name = element.name();
    for (const XmlElement below : element.children()) {
      const std::pair<std::string_view, std::string_view> kind{name, below.name()};
      if (below.type() != pugi::node_element) continue;
      if (std::ranges::find(known_elements, kind) == std::end(known_elements)) {
        Unknown& unknown = unknown_[{std::string(kind.first), std::string(kind.second)}];
        if (unknown.count++ == 0) unknown.first = below;
      } else {
        note_unknown(below);
      }
    }
  }

  static constexpr int max_lanes = 64, max_bandwidth = 1'000'000'000;

  struct Cpu {
    std::string numa;
    NodeId node;
    double rate;  // of its links to others
  };

  const std::string& file_;
  XmlFile xml_;
  GraphDraft draft_;
  Warnings& warnings_;
  std::vector<NcclGpu> gpus_;
  NcclDevices devices_;
  std::map<std::pair<std::string, std::string>, NodeId> other_devices_;  // by host and bus
  std::map<std::string, std::vector<Cpu>> cpus_;                         // by host
  NodeId cpu_;                                                           // whose devices are added
  std::map<std::pair<std::string, std::string>, Unknown> unknown_;       // by their parents' names and theirs
  int bare_gpus_ = 0;
};

bool is_nccl_topology(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first < text.size() && text[first] == '<';
}

}  // namespace

const GraphFormat nccl_topology_format{
    "NCCL's topology of a machine", is_nccl_topology,
    [](std::string_view text, const std::string& file, Warnings& warnings) {
      return NcclReader(text, file, warnings).read();
    }};

}  // namespace orrery::core
