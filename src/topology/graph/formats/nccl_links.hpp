// NVLinks and AMD's Infinity Fabric (xGMI) in a topology of NCCL or RCCL.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/graph/formats/nccl_gpus.hpp"
#include "topology/graph/graph_draft.hpp"

namespace orrery::core {

// A GPU on the bus. It has one NPU, or one for each of its halves, or several that share it.
struct NcclDevice {
  std::vector<NodeId> npus;
  XmlElement first;               // `gpu`
  int halves = 1;                 // 2: NPUs are halves (`mlopart`)
  std::optional<int> first_part;  // of them
  std::optional<NodeId> shared;   // node that stands for the GPU, where NPUs share it
  NodeId cpu;
  bool joined = false;  // it has its PCIe link

  // Returns the nodes that have links.
  std::vector<NodeId> ends() const { return shared ? std::vector<NodeId>{*shared} : npus; }
};

struct NcclDevices {
  std::map<std::pair<std::string, std::string>, NcclDevice> at_bus;  // by host and bus

  void add(const NcclGpu& gpu, NodeId npu, const XmlFile& xml);
  NcclDevice* find(const std::string& host, const std::string& bus);
};

// Returns whether a class of PCI devices, in lower-case letters, is that of GPUs.
bool is_gpu_class(std::string_view pci_class);

class NcclLinks {
 public:
  // Keeps references.
  NcclLinks(const XmlFile& xml, GraphDraft& draft, NcclDevices& devices, Warnings& warnings)
      : xml_(xml), draft_(draft), devices_(devices), warnings_(warnings) {}

  // Adds the links of all GPUs. Throws InputError where a link leads to no GPU, or where a GPU has only links
  // of kinds that are not known.
  void add(const std::vector<NcclGpu>& gpus);

 private:
  // The links from one device to another, as the first one lists them.
  struct Listed {
    double rate = 0;  // of one link, in GB/s
    int count = 0;
    XmlElement element;
  };
  using Ends = std::pair<const NcclDevice*, const NcclDevice*>;

  void add_links(const NcclGpu& gpu, NcclDevice& device);
  void add_link(const NcclGpu& gpu, NcclDevice& device, XmlElement link);
  double rate_of(const NcclGpu& gpu, XmlElement link);
  void join(const NcclDevice& from, const NcclDevice& to, double rate, int count, bool one_way);
  void join_listed();
  void warn_of_left_out(const std::vector<NcclGpu>& gpus);
  std::string name_of(const NcclDevice& device) const { return draft_.graph().node(device.npus[0]).name; }

  const XmlFile& xml_;
  GraphDraft& draft_;
  NcclDevices& devices_;
  Warnings& warnings_;
  std::vector<std::pair<Ends, Listed>> listed_;  // in the order of the file
  std::map<const NcclDevice*, int> links_;       // number of links that lead on
  std::optional<NodeId> nvswitch_;
  XmlElement first_to_itself_;
  int to_itself_ = 0;
};

}  // namespace orrery::core
