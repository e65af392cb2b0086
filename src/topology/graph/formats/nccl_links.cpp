#include "topology/graph/formats/nccl_links.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/words.hpp"
#include "topology/graph/formats/nccl_rates.hpp"

namespace orrery::core {
namespace {

bool is_link_of_gpus(std::string_view name) {
  return name == "nvlink" || name == "xgmi";
}

Cable striped_cable(double gb_per_s, int count) {
  Cable cable = nvlink_cable();
  cable.bandwidth = Bandwidth::from_gb_per_s(gb_per_s);
  cable.count = count;
  return cable;
}

}  // namespace

bool is_gpu_class(std::string_view pci_class) {
  return pci_class.starts_with("0x03") || pci_class.starts_with("0x12");
}

// The two lowest bits of the bus of a GPU in halves tell these apart, so the file has none of them.
void NcclDevices::add(const NcclGpu& gpu, NodeId npu, const XmlFile& xml) {
  const std::string bus = lower_attribute(gpu.pci, "busid");
  NcclDevice& device = at_bus[{gpu.host, bus}];
  const bool first = device.npus.empty();
  if (first) device.first = gpu.element;
  if (first && gpu.part) {
    device.halves = 2;
    device.first_part = gpu.part;
  }
  if (!first && device.first.parent() != gpu.pci)
    throw InputError(xml.where(gpu.pci), "there are two GPUs of this `busid`: correct one");
  if (gpu.part.has_value() != (device.halves == 2))
    throw InputError(xml.where(gpu.element), "of the ranks on one GPU either all or none have a `mlopart`");
  if (gpu.part && device.npus.size() == 2)
    throw InputError(xml.where(gpu.element), "a GPU has two halves, `mlopart` 0 and 1: leave this one out");
  if (!first && gpu.part && gpu.part == device.first_part)
    throw InputError(
        xml.where(gpu.element),
        fmt::format("both halves of this GPU have the `mlopart` {}: they are 0 and 1, correct one",
                    *gpu.part));
  constexpr std::string_view without_part = "048c";
  if (gpu.part && (bus.empty() || without_part.find(bus.back()) == without_part.npos))
    throw InputError(xml.where(gpu.pci),
                     "the bus of a GPU in halves (`mlopart`) ends in 0, 4, 8 or c: correct `busid`");
  device.npus.push_back(npu);
}

NcclDevice* NcclDevices::find(const std::string& host, const std::string& bus) {
  const auto found = at_bus.find({host, bus});
  return found == at_bus.end() ? nullptr : &found->second;
}

void NcclLinks::add(const std::vector<NcclGpu>& gpus) {
  for (const NcclGpu& gpu : gpus) {
    NcclDevice& device = *devices_.find(gpu.host, lower_attribute(gpu.pci, "busid"));
    // Of ranks that share a GPU or have its halves, the first one's links count.
    if (device.first == gpu.element) add_links(gpu, device);
  }
  join_listed();
  if (to_itself_ > 0)
    warnings_.add(xml_.where(first_to_itself_),
                  fmt::format("{} a GPU to itself, which carries nothing: left out",
                              to_itself_ == 1 ? "a link joins" : fmt::format("{} links join", to_itself_)));
  warn_of_left_out(gpus);
}

void NcclLinks::add_links(const NcclGpu& gpu, NcclDevice& device) {
  for (const XmlElement link : gpu.element.children())
    if (is_link_of_gpus(link.name())) add_link(gpu, device, link);
  if (links_.contains(&device)) return;
  for (const XmlElement other : gpu.element.children())
    if (other.attribute("target") && !is_link_of_gpus(other.name()))
      throw InputError(xml_.where(other),
                       fmt::format("links of the kind `{}` are not known here, and {} has no others: say how "
                                   "GPUs are joined by `nvlink` or `xgmi`",
                                   other.name(), gpu.name));
}

double NcclLinks::rate_of(const NcclGpu& gpu, XmlElement link) {
  if (std::string_view(link.name()) == "nvlink")
    return nccl_nvlink_rate(static_cast<int>(xml_.whole(gpu.element, "sm", 1, 1000)));
  if (!gpu.element.attribute("gcn") && link == gpu.element.child("xgmi"))
    warnings_.add(
        xml_.where(gpu.element),
        "this GPU does not say its generation (`gcn`), so its links count as RCCL's slowest, 24 GB/s");
  return rccl_xgmi_rate(gpu.element.attribute("gcn").value());
}

// Links that lead neither to a GPU nor to the CPU lead to the NVLink switch; in virtual machines their
// classes and buses may be anything.
void NcclLinks::add_link(const NcclGpu& gpu, NcclDevice& device, XmlElement link) {
  xml_.text(link, "target");
  const std::string target = lower_attribute(link, "target"), pci_class = lower_attribute(link, "tclass");
  const int count = static_cast<int>(xml_.whole(link, "count", 1, max_in_parallel));
  const double rate = rate_of(gpu, link);
  const NcclDevice* const peer = devices_.find(gpu.host, target);
  if (peer == &device) {
    if (to_itself_++ == 0) first_to_itself_ = link;
    return;
  }
  if (!peer && is_gpu_class(pci_class))
    throw InputError(xml_.where(link), fmt::format("no GPU has the bus {}: correct `target`",
                                                   backquoted(link.attribute("target").value())));
  ++links_[&device];
  if (peer) {
    const auto known = std::ranges::find(listed_, Ends{&device, peer}, &std::pair<Ends, Listed>::first);
    if (known == listed_.end())
      listed_.push_back({{&device, peer}, {rate, count, link}});
    else
      known->second.count += count;
    return;
  }
  NodeId end = device.cpu;
  if (!pci_class.starts_with("0x068001")) {
    if (!nvswitch_) nvswitch_ = draft_.add(NodeKind::network_switch, "nvswitch");
    end = *nvswitch_;
  }
  for (const NodeId here : device.ends()) draft_.join(here, end, striped_cable(rate / device.halves, count));
}

// Joins all ends of the two: halves share the links.
void NcclLinks::join(const NcclDevice& from, const NcclDevice& to, double rate, int count, bool one_way) {
  Cable cable = striped_cable(rate / (from.halves * to.halves), count);
  cable.one_way = one_way;
  for (const NodeId here : from.ends())
    for (const NodeId there : to.ends()) draft_.join(here, there, cable);
}

// Each end of a link lists it. What only one of them lists leads from it to the other.
void NcclLinks::join_listed() {
  for (const auto& [ends, links] : listed_) {
    const auto back =
        std::ranges::find(listed_, Ends{ends.second, ends.first}, &std::pair<Ends, Listed>::first);
    const int others = back == listed_.end() ? 0 : back->second.count;
    if (others == links.count && back->second.rate == links.rate) {
      if (ends.first->npus[0] < ends.second->npus[0])
        join(*ends.first, *ends.second, links.rate, links.count, false);
      continue;
    }
    if (others < links.count)
      warnings_.add(xml_.where(links.element),
                    fmt::format("{} lists {} links to {}, which lists {}: the others lead one way only",
                                name_of(*ends.first), links.count, name_of(*ends.second),
                                others == 0 ? "none" : std::to_string(others)));
    join(*ends.first, *ends.second, links.rate, links.count, true);
  }
}

void NcclLinks::warn_of_left_out(const std::vector<NcclGpu>& gpus) {
  if (links_.empty()) return;
  for (const NcclGpu& gpu : gpus) {
    const NcclDevice& device = *devices_.find(gpu.host, lower_attribute(gpu.pci, "busid"));
    if (device.first == gpu.element && !links_.contains(&device))
      warnings_.add(xml_.where(gpu.element),
                    fmt::format("{} has no links to other GPUs or to a switch, while others have: what it "
                                "sends and receives goes over PCIe",
                                gpu.name));
  }
}

}  // namespace orrery::core
