#include "topology/graph/formats/nccl_gpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace orrery::core {
namespace {

constexpr int deepest = 64;  // elements inside one another
constexpr int largest_device = 65535, largest_rank = (1 << 27) - 1;

class GpuFinder {
 public:
  explicit GpuFinder(const XmlFile& xml) : xml_(xml) {}

  std::vector<NcclGpu> find(XmlElement system) {
    for (const XmlElement below : system.children()) {
      const bool is_cpu = std::string_view(below.name()) == "cpu";
      look_into(below, is_cpu ? below : XmlElement(), 0);
    }
    return std::move(gpus_);
  }

 private:
  void look_into(XmlElement element, XmlElement cpu, int depth) {
    if (depth > deepest)
      throw InputError(xml_.where(element),
                       fmt::format("elements stand more than {} deep in one another", deepest));
    for (const XmlElement below : element.children()) {
      if (std::string_view(below.name()) == "gpu") add(below, element, cpu);
      look_into(below, cpu, depth + 1);
    }
  }

  void add(XmlElement element, XmlElement pci, XmlElement cpu) {
    if (std::string_view(pci.name()) != "pci" || !cpu)
      throw InputError(xml_.where(element),
                       "a `gpu` stands in a `pci`, which has its bus, and that in a `cpu`");
    xml_.text(pci, "busid");
    NcclGpu gpu{element, pci, cpu, host_of_cpu(cpu), 0, {}, {}, {}};
    gpu.dev = static_cast<int>(xml_.whole(element, "dev", 0, largest_device));
    gpu.rank = number_if_any(element, "rank", largest_rank);
    gpu.part = number_if_any(element, "mlopart", 1);
    gpus_.push_back(std::move(gpu));
  }

  // NCCL writes -1 for none.
  std::optional<int> number_if_any(XmlElement element, const char* name, int largest) const {
    if (!element.attribute(name)) return std::nullopt;
    const auto number = static_cast<int>(xml_.whole(element, name, -1, largest));
    return number < 0 ? std::nullopt : std::optional(number);
  }

  const XmlFile& xml_;
  std::vector<NcclGpu> gpus_;
};

bool ranks_count(const std::vector<NcclGpu>& gpus) {
  std::set<int> ranks;
  for (const NcclGpu& gpu : gpus)
    if (gpu.rank) ranks.insert(*gpu.rank);
  return ranks.size() == gpus.size() && *ranks.rbegin() == static_cast<int>(gpus.size()) - 1;
}

void number_by_device(std::vector<NcclGpu>& gpus, const XmlFile& xml, Warnings& warnings) {
  for (const NcclGpu& gpu : gpus)
    if (gpu.host != gpus[0].host)
      throw InputError(
          xml.where(gpu.element),
          fmt::format("GPUs of several hosts (`host_hash`) are numbered by `rank`, so that of each "
                      "has to be another one of 0 to {}",
                      gpus.size() - 1));
  const auto device = [](const NcclGpu& gpu) { return std::tuple(gpu.dev, gpu.part.value_or(0)); };
  std::set<std::tuple<int, int>> devices;
  for (const NcclGpu& gpu : gpus)
    if (!devices.insert(device(gpu)).second)
      throw InputError(
          xml.where(gpu.element),
          fmt::format("there are two GPUs {}: give one another `dev`, or each a `rank` from 0 on", gpu.dev));
  std::ranges::stable_sort(gpus, {}, device);
  const auto has_rank = [](const NcclGpu& gpu) { return gpu.rank.has_value(); };
  const auto missing = std::ranges::find_if_not(gpus, has_rank);
  if (missing != gpus.end() && std::ranges::any_of(gpus, has_rank))
    warnings.add(xml.where(missing->element),
                 "this GPU has no `rank`, so NCCL leaves it out; here GPUs are numbered by `dev`");
  for (NcclGpu& gpu : gpus)
    gpu.name = gpu.part ? fmt::format("gpu{}.{}", gpu.dev, *gpu.part) : fmt::format("gpu{}", gpu.dev);
}

}  // namespace

std::vector<NcclGpu> find_nccl_gpus(const XmlFile& xml, XmlElement system, Warnings& warnings) {
  std::vector<NcclGpu> gpus = GpuFinder(xml).find(system);
  if (gpus.empty())
    throw InputError(
        xml.where(system),
        "there is no `gpu` in the system. A file for NCCL_TOPO_FILE may do without, as NCCL adds "
        "the GPUs and NVLinks that it finds: let NCCL write all of it on that machine, with "
        "NCCL_TOPO_DUMP_FILE, and use that");
  if (!ranks_count(gpus)) {
    number_by_device(gpus, xml, warnings);
    return gpus;
  }
  std::ranges::sort(gpus, {}, &NcclGpu::rank);
  for (NcclGpu& gpu : gpus) gpu.name = fmt::format("gpu{}", *gpu.rank);
  return gpus;
}

std::string lower_attribute(XmlElement element, const char* name) {
  std::string text(element.attribute(name).value());
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  return text;
}

std::string host_of_cpu(XmlElement cpu) {
  std::string hash = lower_attribute(cpu, "host_hash");
  if (hash.starts_with("0x")) hash.erase(0, 2);
  hash.erase(0, std::min(hash.find_first_not_of('0'), hash.size()));
  return hash;
}

std::vector<int> groups_of_hosts(const std::vector<NcclGpu>& gpus) {
  const auto all = static_cast<int>(gpus.size());
  std::set<std::string> hosts;
  for (const NcclGpu& gpu : gpus) hosts.insert(gpu.host);
  const auto count = static_cast<int>(hosts.size());
  if (count == 1 || all % count != 0) return {all};
  const int size = all / count;
  for (int i = 0; i < all; ++i)
    if (gpus[static_cast<std::size_t>(i)].host != gpus[static_cast<std::size_t>(i / size * size)].host)
      return {all};
  return {size, count};
}

}  // namespace orrery::core
